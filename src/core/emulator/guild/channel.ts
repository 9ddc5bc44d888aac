import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { Channel } from '../../../emulator/guilds/channels/channels.ts';
import { hasVoice } from '../../../emulator/guilds/channels/records.ts';
import type { ResultOf } from '../../../protocol/registry.ts';
import { voiceStatesOf } from '../voice/shapes.ts';
import { rpcMessage } from './message.ts';
import { partialChannel } from './shapes.ts';

/** Status of a voice channel, and the time (in seconds) since which users have been in the channel. */
function callOf({ status, voice_start_time: start }: Channel) {
  return {
    status: status ?? null,
    voice_start_time: start === undefined ? null : Math.floor(Date.parse(start) / 1000),
  };
}

/**
 * Channel in the form of GET_CHANNEL, with its voice states; messages are included only when the token may read them.
 */
export function rpcChannel(
  emulator: Emulator,
  channel: Channel,
  scopes: ReadonlySet<string>,
): ResultOf<'GET_CHANNEL'> {
  const readable = scopes.has('messages.read') && !channel.nsfw;
  return {
    ...partialChannel(channel),
    topic: channel.topic,
    bitrate: channel.bitrate,
    user_limit: channel.user_limit,
    guild_id: channel.guild_id,
    position: channel.position,
    ...(hasVoice(channel) ? callOf(channel) : {}),
    messages: readable
      ? emulator.messages.of(channel.id).map((message) => rpcMessage(emulator, message))
      : [],
    voice_states: voiceStatesOf(emulator, channel.id),
  };
}
