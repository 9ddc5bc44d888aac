import * as z from 'zod';
import { ApiError, missingPermissions } from '../../api/api-error.ts';
import type { HasGatewayNotifier } from '../../api/dispatch.ts';
import { maybe, snowflake } from '../../api/fields.ts';
import { noContent, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import { channelInView } from '../channels/channel-access.ts';
import { hasVoice } from '../channels/records.ts';
import { isIn } from '../members/membership.ts';
import { soundDispatch, voiceChannelEffectSend } from '../voice/dispatches.ts';

const defineOperation = operationsFor<Base & HasGatewayNotifier>();

/** Route with which a bot plays a sound in its voice channel. */
export const sendSoundOperations = [
  defineOperation({
    id: 'send_soundboard_sound',
    summary: 'Plays a sound in the voice channel of the bot, where it may speak and is not muted.',
    route: 'POST /channels/{channel_id}/send-soundboard-sound',
    body: z.object({ sound_id: snowflake(), source_guild_id: maybe(snowflake()) }),
    ours: 'A caller who is not in the channel gets 40032, one who is muted there 50013. A sound that is not available is unknown.',
    answers: { 204: null },
    handle: ({ caller, params, body }, { world, clock, gateway }) => {
      const { channel, need } = channelInView({ world, clock }, params.channel_id, caller);
      if (!hasVoice(channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
      need('SPEAK', 'USE_SOUNDBOARD');
      const { tables } = world;
      const state = tables.voice_states.get(caller.user.id);
      if (state?.channel !== channel.id) throw new ApiError('TargetUserIsNotConnectedToVoice');
      if (state.deaf || state.self_deaf || state.mute || state.suppress) throw missingPermissions();
      const sound = tables.soundboard_sounds.get(body.sound_id);
      if (sound === undefined || !sound.available) throw new ApiError('UnknownSound');
      if (sound.guild !== null && sound.guild !== channel.guild) {
        // A sound of another guild may be used only by members of that guild, and the request must name the guild.
        if (body.source_guild_id !== sound.guild || !isIn(tables, sound.guild, caller.user.id)) {
          throw new ApiError('UnknownSound');
        }
        need('USE_EXTERNAL_SOUNDS');
      }
      world.signal({ type: 'sound-played', soundId: sound.id, channelId: channel.id });
      const location = { channel: channel.id, guild: channel.guild, user: caller.user.id };
      gateway.send(voiceChannelEffectSend, soundDispatch(tables, location, sound));
      return noContent();
    },
  }),
];
