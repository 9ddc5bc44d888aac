import { createHash } from 'node:crypto';
import * as z from 'zod';
import { namedShape, timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { memberAnswer, memberShape } from '../members/answers.ts';
import { memberOf } from '../members/membership.ts';
import type { VoiceState } from './records.ts';

/** A voice state. */
export const voiceStateShape = namedShape('VoiceState', {
  channel_id: z.string(),
  guild_id: z.string(),
  user_id: z.string(),
  member: z.optional(memberShape),
  session_id: z.string(),
  deaf: z.boolean(),
  mute: z.boolean(),
  self_deaf: z.boolean(),
  self_mute: z.boolean(),
  self_stream: z.boolean(),
  self_video: z.boolean(),
  suppress: z.boolean(),
  request_to_speak_timestamp: z.nullable(z.string()),
});

/** A voice state in a guild, as members of the guild see it. */
export function voiceStateAnswer(
  tables: Reading,
  guild: string,
  state: VoiceState,
): z.output<typeof voiceStateShape> {
  const { user, channel, deaf, mute, self_deaf, self_mute, suppress, request_to_speak } = state;
  const member = memberOf(tables, guild, user);
  // The client state tells whether the logged-in user's video is on. For other users it is not known.
  const client = user === tables.me.value ? tables.client.value : undefined;
  return {
    channel_id: channel,
    guild_id: guild,
    user_id: user,
    ...(member === undefined ? {} : { member: memberAnswer(tables, member) }),
    session_id: createHash('sha256').update(`voice ${user} ${channel}`).digest('hex').slice(0, 32),
    deaf,
    mute,
    self_deaf,
    self_mute,
    self_stream: client?.screenshare.active ?? false,
    self_video: client?.video_active ?? false,
    suppress,
    request_to_speak_timestamp:
      request_to_speak === undefined ? null : timestamp(Date.parse(request_to_speak)),
  };
}
