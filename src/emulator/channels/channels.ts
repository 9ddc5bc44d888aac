import { isSameJson } from '../same-json.ts';
import type { Derive, Reading, StateRule } from '../world.ts';
import { type ChannelRecord, isThread } from './records.ts';

/** A channel as the logged-in user sees it. */
export type Channel = Omit<ChannelRecord, 'deny' | 'guild'> & { readonly guild_id: string };

/** What the logged-in user may know of a channel id. */
export type ChannelLookup =
  | { readonly kind: 'found'; readonly channel: Channel }
  | { readonly kind: 'denied'; readonly id: string }
  | { readonly kind: 'unknown'; readonly id: string };

/** Told to the logged-in user's eyes: a channel that becomes visible is created, one that becomes hidden is removed. */
export type ChannelChange = {
  readonly type: 'channel-created' | 'channel-updated' | 'channel-removed';
  readonly channel: Channel;
};

/** A channel without the list of those who cannot see it. */
function publicChannel({ deny: _deny, guild, ...rest }: ChannelRecord): Channel {
  return { ...rest, guild_id: guild };
}

/** The channels that the logged-in user may view, without threads, of one guild or of all, guild by guild in their order. */
export function visibleChannels({ guilds, channels, me }: Reading, guildId?: string): Channel[] {
  const ids = guildId === undefined ? [...guilds].map(({ id }) => id) : [guildId];
  return ids.flatMap((id) =>
    [...channels.by('guild', id)]
      .filter((channel) => !isThread(channel) && !channel.deny.includes(me.value))
      .map(publicChannel),
  );
}

/** A thread goes with its channel. */
export const dropLostThreads: StateRule = ({ channels }, commit) => {
  for (const { after } of commit.of('channels').updated) {
    if (isThread(after) && after.parent === null) channels.remove(after.id);
  }
};

/** Looks a channel up with the eyes of a user, of the logged-in one unless told. */
export function lookUpChannel({ channels, me }: Reading, id: string, userId = me.value): ChannelLookup {
  const channel = channels.get(id);
  if (channel === undefined) return { kind: 'unknown', id };
  return channel.deny.includes(userId)
    ? { kind: 'denied', id }
    : { kind: 'found', channel: publicChannel(channel) };
}

/** Whether the logged-in user may read the messages of a channel over RPC: it is in view and not age-restricted. */
export function isReadable({ channels, me }: Reading, channelId: string): boolean {
  const channel = channels.get(channelId);
  return channel !== undefined && !channel.nsfw && !channel.deny.includes(me.value);
}

const VIEW_CHANNEL = 1n << 10n;
const CONNECT = 1n << 20n;
/** Every documented permission: bits 0 to 52. */
const ALL_PERMISSIONS = (1n << 53n) - 1n;

/** A user's permissions in a channel as a bit field. Nobody lacks any here, except that `deny` takes view and connect. */
export function permissionsIn(tables: Reading, channelId: string, userId: string): bigint {
  const denied = lookUpChannel(tables, channelId, userId).kind !== 'found';
  return denied ? ALL_PERMISSIONS & ~(VIEW_CHANNEL | CONNECT) : ALL_PERMISSIONS;
}

/** What becomes different about the channels that the logged-in user may view. */
export const channelChanges: Derive<ChannelChange> = (commit, tables) => {
  if (!commit.touches('channels', 'me')) return [];
  const changes = { created: [] as Channel[], updated: [] as Channel[], removed: [] as Channel[] };
  const before = commit.was('me') ?? tables.me.value;
  const compare = (was: ChannelRecord | undefined, is: ChannelRecord | undefined): void => {
    const seen = was === undefined || was.deny.includes(before) ? undefined : publicChannel(was);
    const seenNow = is === undefined || is.deny.includes(tables.me.value) ? undefined : publicChannel(is);
    if (seen === undefined) {
      if (seenNow !== undefined) changes.created.push(seenNow);
    } else if (seenNow === undefined) changes.removed.push(seen);
    else if (!isSameJson(seen, seenNow)) changes.updated.push(seenNow);
  };
  const { created, updated, removed } = commit.of('channels');
  for (const channel of removed) compare(channel, undefined);
  if (commit.touches('me')) {
    // With other eyes, any channel may look different.
    for (const channel of tables.channels) compare(commit.was('channels', channel.id), channel);
  } else {
    for (const channel of created) compare(undefined, channel);
    for (const change of updated) compare(change.before, change.after);
  }
  const told = (type: ChannelChange['type']) => (channel: Channel) => ({ type, channel });
  return [
    ...changes.created.map(told('channel-created')),
    ...changes.updated.map(told('channel-updated')),
    ...changes.removed.map(told('channel-removed')),
  ];
};
