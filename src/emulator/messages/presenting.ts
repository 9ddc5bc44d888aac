import { timestamp } from '../api/fields.ts';
import type { Reading } from '../api/world.ts';
import type { User } from '../users/records.ts';
import { attachmentAnswer, type FileAddress, filesBeside, withFiles } from './attachments/attachments.ts';
import type { AttachmentRecord } from './attachments/records.ts';
import { MESSAGE_FLAGS, type Message } from './records.ts';

// Common parts of all views of a message: in HTTP, in gateway events, in RPC, and in the events of games.

/** Discriminator of webhooks. */
const NO_TAG = '0000';

/** Fields of an author that views of a message contain. */
type Author = Pick<
  User,
  | 'id'
  | 'username'
  | 'discriminator'
  | 'global_name'
  | 'avatar'
  | 'bot'
  | 'flags'
  | 'premium_type'
  | 'primary_guild'
>;

/** Author of a message; a webhook appears as a bot without an account. Undefined for a removed user. */
export function authorOf(
  { users }: Pick<Reading, 'users'>,
  { author, webhook }: Pick<Message, 'author' | 'webhook'>,
): Author | undefined {
  if (webhook === undefined) return users.get(author ?? '');
  const { id, name: username, avatar } = webhook;
  const nothing = { global_name: null, flags: 0, premium_type: 0, primary_guild: null };
  return { ...nothing, id, username, discriminator: NO_TAG, avatar, bot: true } as const;
}

/** Files and embeds of a message, with URLs. */
export function carriedBy(
  message: Pick<Message, 'flags' | 'embeds' | 'components'>,
  files: readonly AttachmentRecord[],
  address: FileAddress,
) {
  const isSuppressed = ((message.flags ?? 0) & MESSAGE_FLAGS.suppressEmbeds) !== 0;
  return {
    attachments: filesBeside(message, files).map((file) => attachmentAnswer(file, address)),
    embeds: isSuppressed ? [] : withFiles(message.embeds ?? [], files, address),
  };
}

/** Times of creation and last edit of a message. */
export function timesOf({
  timestamp: made,
  edited_timestamp,
}: Pick<Message, 'timestamp' | 'edited_timestamp'>) {
  return {
    timestamp: timestamp(Date.parse(made)),
    edited_timestamp: edited_timestamp === null ? null : timestamp(Date.parse(edited_timestamp)),
  };
}

/** A message of a lobby, or between two users, in the form for games. */
export function gameMessage({
  id,
  type = 0,
  content,
  flags = 0,
  metadata,
}: Pick<Message, 'id' | 'type' | 'content' | 'flags' | 'metadata'>) {
  return { id, type, content, flags, ...(metadata === undefined ? {} : { metadata: { ...metadata } }) };
}
