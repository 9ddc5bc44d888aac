import * as z from 'zod';
import type { Dispatched, GatewayListener, Intent } from '../../api/dispatch.ts';
import type { Reading } from '../../api/world.ts';
import { mayView } from './access.ts';
import type { AnyChannel } from './channel-access.ts';
import { isPrivate } from './private-records.ts';

/** Scope that a game needs to receive its user's private messages. */
const SCOPE = 'dm_channels.messages.read';

/** A channel and the audience of its messages. */
export interface ChannelAudience {
  readonly channel: AnyChannel;
  /** Id of the channel's guild; undefined for a private channel. */
  readonly guild: string | undefined;
  readonly canSee: (listener: GatewayListener) => boolean;
}

/**
 * A channel and the audience of its messages: the bots that may view it or, for a private channel, its members.
 * Undefined for an unknown channel.
 */
export function audienceOf(tables: Reading, channelId: string): ChannelAudience | undefined {
  const channel: AnyChannel | undefined =
    tables.channels.get(channelId) ?? tables.private_channels.get(channelId);
  if (channel === undefined) return undefined;
  if (isPrivate(channel)) {
    const canSee = ({ kind, user, scopes }: GatewayListener): boolean =>
      channel.recipients.includes(user) && (kind === 'bot' || scopes.includes(SCOPE));
    return { channel, guild: undefined, canSee };
  }
  // Results are cached by account, because one account may listen with many shards.
  const known = new Map<string, boolean>();
  const canSee = ({ kind, user }: GatewayListener): boolean => {
    if (kind !== 'bot') return false;
    const may = known.get(user) ?? mayView(tables, channel, user);
    known.set(user, may);
    return may;
  };
  return { channel, guild: channel.guild, canSee };
}

/** Fields with which an event names a channel. */
export const channelFields = { channel_id: z.string(), guild_id: z.optional(z.string()) };

/**
 * An event in a channel, whose payload also names the channel. Bots need the first intent in a guild, and the second in
 * a private channel.
 */
export function dispatchTo(
  { channel, guild, canSee }: ChannelAudience,
  [inGuild, inPrivate]: readonly [Intent, Intent],
  data: () => object,
): Dispatched {
  return {
    guild,
    intents: [guild === undefined ? inPrivate : inGuild],
    canSee,
    data: () => ({ ...data(), channel_id: channel.id, ...(guild === undefined ? {} : { guild_id: guild }) }),
  };
}
