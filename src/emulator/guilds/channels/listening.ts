import type { GatewayListener } from '../../api/dispatch.ts';
import type { Reading } from '../../api/world.ts';
import { mayView } from './access.ts';
import type { Place } from './channel-access.ts';
import { isPrivate } from './private-records.ts';

/** What a person's token has to allow for the game to be told what is said to them in private. */
const SCOPE = 'dm_channels.messages.read';

/** A channel in which something is said, and who hears it. */
export interface Heard {
  readonly channel: Place;
  /** Its guild; none of a private one. */
  readonly guild: string | undefined;
  readonly sees: (listener: GatewayListener) => boolean;
}

/**
 * A channel, and who hears what is said there: bots that may view it and, in a private one, who is in it. Undefined where
 * there is no such channel.
 */
export function heardIn(tables: Reading, channelId: string): Heard | undefined {
  const channel: Place | undefined = tables.channels.get(channelId) ?? tables.private_channels.get(channelId);
  if (channel === undefined) return undefined;
  if (isPrivate(channel)) {
    const sees = ({ kind, user, scopes }: GatewayListener): boolean =>
      channel.recipients.includes(user) && (kind === 'bot' || scopes.includes(SCOPE));
    return { channel, guild: undefined, sees };
  }
  // The same account listens with many shards.
  const known = new Map<string, boolean>();
  const sees = ({ kind, user }: GatewayListener): boolean => {
    if (kind !== 'bot') return false;
    const may = known.get(user) ?? mayView(tables, channel, user);
    known.set(user, may);
    return may;
  };
  return { channel, guild: channel.guild, sees };
}

/** The fields by which an event names a channel. */
export function placeFields({ channel, guild }: Heard): { channel_id: string; guild_id?: string } {
  return { channel_id: channel.id, ...(guild === undefined ? {} : { guild_id: guild }) };
}
