import type { Reading, StateRule } from '../../api/world.ts';
import { mayView } from './access.ts';
import { type ChannelRecord, isThread } from './records.ts';

/** A channel as the logged-in user sees it. */
export type Channel = Omit<ChannelRecord, 'deny' | 'guild'> & { readonly guild_id: string };

/** Result of the logged-in user's lookup of a channel. */
export type ChannelLookup =
  | { readonly kind: 'found'; readonly channel: Channel }
  | { readonly kind: 'denied'; readonly id: string }
  | { readonly kind: 'unknown'; readonly id: string };

/** A channel without its list of denied users. */
export function publicChannel({ deny: _deny, guild, ...rest }: ChannelRecord): Channel {
  return { ...rest, guild_id: guild };
}

/** Channels that the logged-in user may view, without threads, of one guild or of all, ordered by guild and position. */
export function visibleChannels(tables: Reading, guildId?: string): Channel[] {
  const { guilds, channels, me } = tables;
  const ids = guildId === undefined ? [...guilds].map(({ id }) => id) : [guildId];
  return ids.flatMap((id) =>
    [...channels.by('guild', id)]
      .filter((channel) => !isThread(channel) && mayView(tables, channel, me.value))
      .map(publicChannel),
  );
}

/** Removes the threads of a removed channel. */
export const dropLostThreads: StateRule = ({ channels }, commit) => {
  for (const { after } of commit.of('channels').updated) {
    if (isThread(after) && after.parent === null) channels.remove(after.id);
  }
};

/** Finds a channel on behalf of a user, by default the logged-in user. */
export function findChannel(tables: Reading, id: string, userId = tables.me.value): ChannelLookup {
  const channel = tables.channels.get(id);
  if (channel === undefined) return { kind: 'unknown', id };
  return mayView(tables, channel, userId)
    ? { kind: 'found', channel: publicChannel(channel) }
    : { kind: 'denied', id };
}

/**
 * Whether the logged-in user may read the messages of a channel over RPC: the channel must be visible and not
 * age-restricted.
 */
export function isReadable(tables: Reading, channelId: string): boolean {
  const channel = tables.channels.get(channelId);
  return channel !== undefined && !channel.nsfw && mayView(tables, channel, tables.me.value);
}
