import * as z from 'zod';
import { ApiError, invalidField, missingAccess } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { clearable, maybe, moment, snowflake } from '../../api/fields.ts';
import { defineOperation, noContent, ok, type Reply } from '../../api/operation.ts';
import { present } from '../../api/present.ts';
import type { Base } from '../../api/world.ts';
import { accessTo, channelInView } from '../channels/channel-access.ts';
import { isStage } from '../channels/records.ts';
import { requestingMember } from '../guild-access.ts';
import { voiceStateAnswer, voiceStateShape } from '../voice/answers.ts';
import type { VoiceState } from '../voice/records.ts';

/**
 * Voice state of a user in a guild. @throws ApiError 10065 for a user in none of the guild's channels, 50001 for a
 * channel that the caller cannot see.
 */
function stateIn(platform: Base, caller: BotCaller, guildId: string, userId: string): VoiceState {
  const state = platform.world.tables.voice_states.get(userId);
  const channel = platform.world.tables.channels.get(state?.channel ?? '');
  if (state === undefined || channel?.guild !== guildId) throw new ApiError('UnknownVoiceState');
  if (accessTo(platform, channel.id, caller.user) === undefined) throw missingAccess();
  return state;
}

/** 200 with the voice state of a user in a guild of the caller. @throws ApiError as {@link stateIn}. */
function stateReply(platform: Base, caller: BotCaller, guildId: string, userId: string): Reply {
  const { guild } = requestingMember(caller, guildId, platform);
  const state = stateIn(platform, caller, guild.id, userId);
  return ok(voiceStateAnswer(platform.world.tables, guild.id, state));
}

/**
 * Voice state of a user on a stage, which the caller wants to change. @throws ApiError for a user who is not on the
 * named stage.
 */
function onStage(
  platform: Base,
  caller: BotCaller,
  {
    guildId,
    userId,
    channelId,
  }: { readonly guildId: string; readonly userId: string; readonly channelId: string | undefined },
) {
  const state = stateIn(platform, caller, guildId, userId);
  if (channelId !== undefined && channelId !== state.channel) {
    const { channel } = channelInView(platform, channelId, caller);
    if (channel.guild !== guildId) throw missingAccess();
    throw new ApiError('TargetUserIsNotConnectedToVoice');
  }
  const access = channelInView(platform, state.channel, caller);
  if (!isStage(access.channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
  return { state, access };
}

function change({ world }: Base, state: VoiceState, suppress: boolean, request: number | null): void {
  const request_to_speak = request === null ? undefined : new Date(request).toISOString();
  world.transaction(({ voice_states }) => {
    voice_states.replace(present({ ...state, suppress, request_to_speak }) as VoiceState);
  });
}

const OWN = '/guilds/{guild_id}/voice-states/@me';
const ONE = '/guilds/{guild_id}/voice-states/{user_id}';
const ours =
  'The id of a session follows from the user and the channel. A user in a channel that the bot cannot view is answered with 50001.';

/** Routes of voice states. */
export const voiceStateOperations = [
  defineOperation({
    id: 'get_self_voice_state',
    summary: 'Voice state of the bot in a guild.',
    route: `GET ${OWN}`,
    ours,
    answers: { 200: voiceStateShape },
    handle: ({ caller, params }, platform) => stateReply(platform, caller, params.guild_id, caller.user.id),
  }),
  defineOperation({
    id: 'get_voice_state',
    summary: 'Voice state of a user in a guild.',
    route: `GET ${ONE}`,
    ours,
    answers: { 200: voiceStateShape },
    handle: ({ caller, params }, platform) => stateReply(platform, caller, params.guild_id, params.user_id),
  }),
  defineOperation({
    id: 'update_self_voice_state',
    summary: 'Starts or stops speaking on a stage, or requests to speak there.',
    route: `PATCH ${OWN}`,
    body: z.object({
      channel_id: maybe(snowflake()),
      suppress: maybe(z.boolean()),
      request_to_speak_timestamp: clearable(moment()),
    }),
    ours: 'A change of `suppress` ends the request to speak.',
    answers: { 204: null },
    handle: ({ caller, params, body }, platform) => {
      const { guild, now } = requestingMember(caller, params.guild_id, platform);
      const where = { guildId: guild.id, userId: caller.user.id, channelId: body.channel_id };
      const { state, access } = onStage(platform, caller, where);
      const { suppress = state.suppress, request_to_speak_timestamp: request } = body;
      if (state.suppress && !suppress) access.need('MUTE_MEMBERS');
      if (request != null) {
        access.need('REQUEST_TO_SPEAK');
        // A time up to one minute in the past is tolerated, because the clocks of two machines may differ.
        if (request < now - 60_000) {
          throw invalidField(
            ['request_to_speak_timestamp'],
            'REQUEST_TO_SPEAK_PAST',
            'Must be a present or future time.',
          );
        }
      }
      const before = state.request_to_speak === undefined ? null : Date.parse(state.request_to_speak);
      const after = suppress === state.suppress ? before : null;
      change(platform, state, suppress, request === undefined ? after : request);
      return noContent();
    },
  }),
  defineOperation({
    id: 'update_voice_state',
    summary: 'Invites a user to speak on a stage, or moves them to the audience.',
    route: `PATCH ${ONE}`,
    body: z.object({ channel_id: maybe(snowflake()), suppress: maybe(z.boolean()) }),
    answers: { 204: null },
    handle: ({ caller, params, body }, platform) => {
      const { guild, now } = requestingMember(caller, params.guild_id, platform);
      const where = { guildId: guild.id, userId: params.user_id, channelId: body.channel_id };
      const { state, access } = onStage(platform, caller, where);
      access.need('MUTE_MEMBERS');
      const { suppress } = body;
      if (suppress === undefined || suppress === state.suppress) return noContent();
      const isBot = platform.world.tables.users.get(state.user)?.bot === true;
      // A user is only invited to speak, and accepts later; a bot may speak at once.
      change(platform, state, suppress, suppress || isBot ? null : now);
      return noContent();
    },
  }),
];
