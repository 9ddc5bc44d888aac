import { ApiError, invalidForm, missingPermissions } from '../../api/api-error.ts';
import type { Reading } from '../../api/world.ts';
import type { ChannelAccess } from './channel-access.ts';
import { type ChannelRecord, isForum, isThread } from './records.ts';

// Rules of forum and media channels for their posts.

/** Channel flags. */
export const CHANNEL_FLAGS = {
  /** The flag of a post that is pinned in its forum. */
  pinned: 1 << 1,
  /** A post needs a tag. */
  requireTag: 1 << 4,
  /** The flag of a media channel that has no download buttons. */
  hideMediaDownloads: 1 << 15,
} as const;

const { pinned, requireTag, hideMediaDownloads } = CHANNEL_FLAGS;

/** Flags of a channel or thread after a request. Flags that a request cannot set for this type stay unchanged. */
export function channelFlagsAfter(
  channel: Pick<ChannelRecord, 'type' | 'flags'>,
  requestedFlags: number | null | undefined,
): number {
  const settable = isThread(channel) ? pinned : requireTag | hideMediaDownloads;
  return ((requestedFlags ?? channel.flags) & settable) | (channel.flags & ~settable);
}

type Applied = readonly string[];

/**
 * Checks the tags of a post. Each must be a tag of the forum, and a moderated tag requires MANAGE_THREADS. @throws
 * ApiError 50035 for an unknown tag, 50013 for a missing permission.
 */
export function checkTags(
  { available_tags = [] }: ChannelRecord,
  may: ChannelAccess['may'],
  applied: Applied,
  before: Applied = [],
): void {
  const faults = applied.flatMap((tag, index) =>
    available_tags.some(({ id }) => id === tag)
      ? []
      : [{ path: ['applied_tags', index], code: 'FORUM_TAG_UNKNOWN', message: 'Unknown tag' }],
  );
  if (faults.length > 0) throw invalidForm(faults);
  const changes = ({ id }: { readonly id: string }) => applied.includes(id) !== before.includes(id);
  if (available_tags.some((tag) => tag.moderated && changes(tag)) && !may('MANAGE_THREADS')) {
    throw missingPermissions();
  }
}

/**
 * Checks the tags of a new post, and that it has a tag if the forum requires one. @throws ApiError as {@link checkTags}
 * does, 40067 for a missing tag, and 40066 where the author may use no tag at all.
 */
export function checkTagsOfPost(forum: ChannelRecord, may: ChannelAccess['may'], applied: Applied): void {
  checkTags(forum, may, applied);
  if ((forum.flags & CHANNEL_FLAGS.requireTag) === 0 || applied.length > 0) return;
  const { available_tags = [] } = forum;
  if (available_tags.length > 0 && available_tags.every(({ moderated }) => moderated)) {
    if (!may('MANAGE_THREADS')) throw new ApiError('ThereAreNoTagsAvailableThatCanBeSetByNonModerators');
  }
  throw new ApiError('TagRequiredToCreateAForumPostInThisChannel');
}

/**
 * Checks that a post may be pinned: only in a forum, and only one post at a time. @throws ApiError 50024 for a thread
 * of another channel, 30047 where another post is pinned.
 */
export function checkPinned({ channels }: Pick<Reading, 'channels'>, post: ChannelRecord): void {
  if (!isPinned(post)) return;
  const forum = channels.get(post.parent ?? '');
  if (forum === undefined || !isForum(forum)) throw new ApiError('CannotExecuteActionOnThisChannelType');
  for (const other of channels.by('parent', forum.id)) {
    if (other.id === post.id || !isPinned(other)) continue;
    throw new ApiError('MaximumNumberOfPinnedThreadsInForumHasBeenReached');
  }
}

/** Whether a post is pinned in its forum. */
export function isPinned({ flags }: Pick<ChannelRecord, 'flags'>): boolean {
  return (flags & CHANNEL_FLAGS.pinned) !== 0;
}
