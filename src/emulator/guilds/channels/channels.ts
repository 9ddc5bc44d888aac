import type { Derive, Reading, StateRule } from '../../api/world.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { ACCESS_TABLES, type AccessRows, channelsTouched, mayView, rowsBefore } from './access.ts';
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
export function publicChannel({ deny: _deny, guild, ...rest }: ChannelRecord): Channel {
  return { ...rest, guild_id: guild };
}

/** The channels that the logged-in user may view, without threads, of one guild or of all, guild by guild in their order. */
export function visibleChannels(tables: Reading, guildId?: string): Channel[] {
  const { guilds, channels, me } = tables;
  const ids = guildId === undefined ? [...guilds].map(({ id }) => id) : [guildId];
  return ids.flatMap((id) =>
    [...channels.by('guild', id)]
      .filter((channel) => !isThread(channel) && mayView(tables, channel, me.value))
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
export function lookUpChannel(tables: Reading, id: string, userId = tables.me.value): ChannelLookup {
  const channel = tables.channels.get(id);
  if (channel === undefined) return { kind: 'unknown', id };
  return mayView(tables, channel, userId)
    ? { kind: 'found', channel: publicChannel(channel) }
    : { kind: 'denied', id };
}

/** Whether the logged-in user may read the messages of a channel over RPC: it is in view and not age-restricted. */
export function isReadable(tables: Reading, channelId: string): boolean {
  const channel = tables.channels.get(channelId);
  return channel !== undefined && !channel.nsfw && mayView(tables, channel, tables.me.value);
}

/** What becomes different about the channels that the logged-in user may view. */
export const channelChanges: Derive<ChannelChange> = (commit, tables) => {
  if (!commit.touches(...ACCESS_TABLES)) return [];
  const changes = { created: [] as Channel[], updated: [] as Channel[], removed: [] as Channel[] };
  const now = tables.me.value;
  const was = { rows: rowsBefore(commit, tables), userId: commit.was('me') ?? now };
  const seen = (rows: AccessRows, id: string, userId: string): Channel | undefined => {
    const channel = rows.channels.get(id);
    return channel === undefined || !mayView(rows, channel, userId) ? undefined : publicChannel(channel);
  };
  const compare = (id: string): void => {
    const before = seen(was.rows, id, was.userId);
    const after = seen(tables, id, now);
    if (before === undefined) {
      if (after !== undefined) changes.created.push(after);
    } else if (after === undefined) changes.removed.push(before);
    else if (!isSameJson(before, after)) changes.updated.push(after);
  };
  for (const { id } of commit.of('channels').removed) compare(id);
  // With other eyes, any channel may look different.
  if (commit.touches('me')) for (const { id } of tables.channels) compare(id);
  else for (const id of channelsTouched(commit, tables, now)) compare(id);
  const told = (type: ChannelChange['type']) => (channel: Channel) => ({ type, channel });
  return [
    ...changes.created.map(told('channel-created')),
    ...changes.updated.map(told('channel-updated')),
    ...changes.removed.map(told('channel-removed')),
  ];
};
