import type { Reading } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { permissionsIn } from '../channels/access.ts';
import { type ChannelRecord, isStage } from '../channels/records.ts';
import type { VoiceState } from './records.ts';

const CONNECT = bitsOf('CONNECT');
const MOVE_MEMBERS = bitsOf('MOVE_MEMBERS');

/** Why somebody cannot come into a voice channel that they can see. */
export type JoinObstacle = 'no-right' | 'full';

/**
 * What keeps a user out of a voice channel at a time (ms): the right to connect, and its limit, which does not bind those who
 * move members. Undefined where nothing does.
 */
export function joinObstacle(
  tables: Reading,
  channel: ChannelRecord,
  userId: string,
  now: number,
): JoinObstacle | undefined {
  const bits = permissionsIn(tables, channel, userId, now);
  if ((bits & CONNECT) === 0n) return 'no-right';
  const { user_limit: limit } = channel;
  const others = [...tables.voice_states.by('channel', channel.id)].filter(({ user }) => user !== userId);
  return limit > 0 && others.length >= limit && (bits & MOVE_MEMBERS) === 0n ? 'full' : undefined;
}

/** Whether a user may put others into a voice channel at a time (ms): they may connect there, and move members. */
export function mayMoveInto(tables: Reading, channel: ChannelRecord, userId: string, now: number): boolean {
  const needed = CONNECT | MOVE_MEMBERS;
  return (permissionsIn(tables, channel, userId, now) & needed) === needed;
}

/** The voice state of a user who has just come into a channel; on a stage they listen. */
export function joinedState(user: string, channel: ChannelRecord, own: Partial<VoiceState> = {}): VoiceState {
  const quiet = { mute: false, deaf: false, self_mute: false, self_deaf: false };
  return {
    user,
    channel: channel.id,
    nick: null,
    ...quiet,
    suppress: isStage(channel),
    speaking: false,
    ...own,
  };
}
