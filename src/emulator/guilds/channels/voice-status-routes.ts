import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { textUpTo } from '../../api/fields.ts';
import { defineOperation, noContent } from '../../api/operation.ts';
import { present } from '../../api/present.ts';
import { AUDIT, noteInChannel } from '../audit/audit.ts';
import { channelInView } from './channel-access.ts';
import type { ChannelRecord } from './records.ts';

const VOICE = 2;

/** Routes that set the status of a voice channel. */
export const voiceStatusOperations = [
  defineOperation({
    id: 'update_voice_channel_status',
    summary: 'Sets the status of a voice channel; null and an empty text remove it.',
    route: 'PUT /channels/{channel_id}/voice-status',
    body: z.object({ status: z.nullish(textUpTo(500)) }),
    ours: 'The status stays when the channel empties.',
    answers: { 204: null },
    handle: ({ params, caller, body, reason }, platform) => {
      const { channel, need } = channelInView(platform, params.channel_id, caller);
      if (channel.type !== VOICE) throw new ApiError('CannotExecuteActionOnThisChannelType');
      need('SET_VOICE_CHANNEL_STATUS');
      const { world } = platform;
      if (world.tables.voice_states.get(caller.user.id)?.channel !== channel.id) need('MANAGE_CHANNELS');
      const status = body.status || undefined;
      if (status === channel.status) return noContent();
      world.transaction((tables) => {
        tables.channels.put(present({ ...channel, status }) as ChannelRecord);
        noteInChannel(platform, tables, caller, channel, {
          action:
            status === undefined ? AUDIT.VOICE_CHANNEL_STATUS_DELETE : AUDIT.VOICE_CHANNEL_STATUS_UPDATE,
          target: channel.id,
          reason,
          ...(status === undefined ? {} : { options: { status } }),
        });
      });
      return noContent();
    },
  }),
];
