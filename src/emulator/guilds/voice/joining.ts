import type { Reading, Writing } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { mayView, permissionsIn } from '../channels/access.ts';
import { type ChannelRecord, hasVoice, isStage } from '../channels/records.ts';
import type { VoiceState } from './records.ts';

const CONNECT = bitsOf('CONNECT');
const MOVE_MEMBERS = bitsOf('MOVE_MEMBERS');

/** Result of a check whether a user can join a voice channel. */
export type JoinCheck =
  | { readonly kind: 'found'; readonly channel: ChannelRecord }
  | { readonly kind: 'unknown' | 'denied' | 'no-voice' | 'no-right' | 'full' };

/**
 * Checks whether a user could join a channel at a time (ms). The user must be able to view the channel and have the
 * permission to connect, and the channel must have voice. It must also have a free place, unless the user may move
 * members.
 */
export function checkJoin(tables: Reading, userId: string, channelId: string, now: number): JoinCheck {
  const channel = tables.channels.get(channelId);
  if (channel === undefined) return { kind: 'unknown' };
  if (!mayView(tables, channel, userId)) return { kind: 'denied' };
  if (!hasVoice(channel)) return { kind: 'no-voice' };
  const bits = permissionsIn(tables, channel, userId, now);
  if ((bits & CONNECT) === 0n) return { kind: 'no-right' };
  const { user_limit: limit } = channel;
  const others = [...tables.voice_states.by('channel', channel.id)].filter(({ user }) => user !== userId);
  if (limit > 0 && others.length >= limit && (bits & MOVE_MEMBERS) === 0n) return { kind: 'full' };
  return { kind: 'found', channel };
}

/**
 * Whether a user may move others into a voice channel at a time (ms). The user needs the permissions to connect to it
 * and to move members.
 */
export function mayMoveInto(tables: Reading, channel: ChannelRecord, userId: string, now: number): boolean {
  const needed = CONNECT | MOVE_MEMBERS;
  return (permissionsIn(tables, channel, userId, now) & needed) === needed;
}

/**
 * Moves a user into a voice channel, in this transaction. The user's own mute and deafen stay; within one guild those
 * set by moderators stay as well. On a stage the user is suppressed at first. For a user who is in the channel already,
 * only the fields in `own` change.
 */
export function joinVoice(
  { voice_states, channels }: Writing,
  user: string,
  channel: ChannelRecord,
  own: Partial<Pick<VoiceState, 'self_mute' | 'self_deaf'>> = {},
): VoiceState {
  const before = voice_states.get(user);
  if (before?.channel === channel.id) return voice_states.update(user, own);
  const held = before !== undefined && channels.get(before.channel)?.guild === channel.guild;
  const { self_mute = false, self_deaf = false } = before ?? {};
  return voice_states.putLast({
    user,
    channel: channel.id,
    nick: held ? before.nick : null,
    mute: held && before.mute,
    deaf: held && before.deaf,
    self_mute,
    self_deaf,
    suppress: isStage(channel),
    speaking: false,
    ...own,
  });
}
