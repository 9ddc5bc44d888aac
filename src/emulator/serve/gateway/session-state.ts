import type { Base } from '../../api/world.ts';
import { hasVoice } from '../../guilds/channels/records.ts';
import type { Guild } from '../../guilds/records.ts';
import { checkJoin, joinVoice } from '../../guilds/voice/joining.ts';
import { joinSecretOf, visibleActivities } from '../../users/presence/sent-activities.ts';
import { hideSession, setSessionPresence } from '../../users/presence/sessions.ts';
import type { PresenceData } from './payload.ts';
import type { Session } from './session.ts';

/** Publishes the presence of a session. */
export function setPresence(
  { id, listener }: Session,
  { status, activities }: PresenceData,
  { world }: Base,
  now: number,
): void {
  // The bot of an application outside of the fixture has no user row, so others could not see its presence.
  if (!world.tables.users.has(listener.user)) return;
  const visible = visibleActivities(listener, activities);
  const client = listener.kind === 'bot' ? ('web' as const) : ('desktop' as const);
  const secret = visible.length > 0 ? joinSecretOf(listener, activities) : null;
  const sessionPresence = {
    session: id,
    user: listener.user,
    status,
    client,
    activities: visible,
    secret,
  };
  // A session has one presence of limited size, so it needs no room of its own.
  world.always(() => setSessionPresence(world, sessionPresence, now));
}

/**
 * Removes the presence of a session. When `isLast` is true for a bot's last session, also removes the bot's voice
 * state.
 */
export function hide({ id, listener }: Session, isLast: boolean, { world }: Base): void {
  hideSession(world, id);
  if (!isLast || listener.kind !== 'bot' || !world.tables.voice_states.has(listener.user)) return;
  world.transaction(({ voice_states }) => voice_states.remove(listener.user));
}

/** A bot's request to change its own state in a voice channel. */
interface VoiceStateRequest {
  readonly channel_id: string | null;
  readonly self_mute: boolean;
  readonly self_deaf: boolean;
}

/**
 * Lets a bot join, move to or leave a voice channel, or change mute and deaf there. Returns the reason when the request
 * is not permitted.
 */
export function changeVoiceState(
  user: string,
  guild: Guild,
  { channel_id, self_mute, self_deaf }: VoiceStateRequest,
  { world }: Base,
  now: number,
): string | undefined {
  const { tables } = world;
  const before = tables.voice_states.get(user);
  if (channel_id === null) {
    if (before !== undefined && tables.channels.get(before.channel)?.guild === guild.id) {
      world.transaction(({ voice_states }) => voice_states.remove(user));
    }
    return undefined;
  }
  const channel = tables.channels.get(channel_id);
  if (channel?.guild !== guild.id || !hasVoice(channel))
    return `${channel_id} is no voice channel of the guild`;
  // A request for the bot's current channel changes only mute and deaf, so it needs no permission to join.
  const { kind } =
    before?.channel === channel_id ? { kind: 'found' } : checkJoin(tables, user, channel_id, now);
  if (kind === 'full') return `channel ${channel_id} is full`;
  if (kind !== 'found') return `the bot may not connect to channel ${channel_id}`;
  // A user has one voice state.
  world.always(() =>
    world.transaction((writing) => joinVoice(writing, user, channel, { self_mute, self_deaf })),
  );
  return undefined;
}
