import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type Channel, publicChannel } from '../../../emulator/guilds/channels/channels.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import { requireSendable } from '../../../protocol/sent-size.ts';
import type { CoreHandlers } from '../../core.ts';
import { takeTime } from '../duration.ts';
import { invalidChannel, requireTextChannel } from '../refusals.ts';
import { rpcChannel } from './channel.ts';

/** Commands on the user's selected text and voice channel. */
export function selectionHandlers(emulator: Emulator): CoreHandlers {
  return {
    async SELECT_TEXT_CHANNEL({ channel_id, timeout }, { signal, scopes }) {
      if (channel_id !== null) requireTextChannel(emulator, channel_id);
      const { clock, client } = emulator;
      const { select_delay_ms: takes } = client.state;
      const late = new RpcError(ErrorCode.SELECT_CHANNEL_TIMED_OUT, 'The text channel was not shown in time');
      await takeTime({ clock, takes, timeout, signal }, late);
      if (channel_id !== null) {
        const channel = requireTextChannel(emulator, channel_id);
        requireSendable('SELECT_TEXT_CHANNEL', rpcChannel(emulator, channel, scopes));
      }
      const selected = emulator.client.selectTextChannel(channel_id);
      return selected === null ? null : rpcChannel(emulator, selected, scopes);
    },
    GET_SELECTED_VOICE_CHANNEL(_args, { scopes }) {
      const channel = emulator.selectedVoiceChannel();
      return channel === null ? null : rpcChannel(emulator, channel, scopes);
    },
    async SELECT_VOICE_CHANNEL({ channel_id, force, timeout }, { signal, scopes }) {
      if (channel_id === null) return emulator.selectVoiceChannel(null) as null;
      requireJoinable(emulator, channel_id, force ?? false);
      const { clock, client } = emulator;
      const { select_delay_ms: takes } = client.state;
      const late = new RpcError(
        ErrorCode.SELECT_CHANNEL_TIMED_OUT,
        'The voice channel was not joined in time',
      );
      await takeTime({ clock, takes, timeout, signal }, late);
      // The channel is checked again, because the state may have changed during the delay.
      const channel = requireJoinable(emulator, channel_id, force ?? false);
      requireSendable('SELECT_VOICE_CHANNEL', rpcChannel(emulator, channel, scopes));
      const joined = emulator.selectVoiceChannel(channel_id);
      return joined === null ? null : rpcChannel(emulator, joined, scopes);
    },
  };
}

const REASONS = {
  'no-voice': 'the channel is not a voice channel',
  full: 'the channel is full',
} as const;

/**
 * Returns the channel that the user may join. @throws RpcError 4005, or 5003 when the user is in another channel and
 * `force` is not set.
 */
function requireJoinable(emulator: Emulator, channelId: string, force: boolean): Channel {
  const checked = emulator.calls.check(emulator.me().id, channelId);
  if (checked.kind === 'no-voice' || checked.kind === 'full') throw invalidChannel(REASONS[checked.kind]);
  if (checked.kind === 'no-right') {
    throw new RpcError(ErrorCode.INVALID_PERMISSIONS, 'The user may not connect to the voice channel');
  }
  if (checked.kind !== 'found') throw invalidChannel(`the user sees no channel ${channelId}`);
  const current = emulator.selectedVoiceChannel();
  if (current !== null && current.id !== channelId && !force) {
    throw new RpcError(
      ErrorCode.SELECT_VOICE_FORCE_REQUIRED,
      'The user is in another voice channel; force: true moves them',
    );
  }
  return publicChannel(checked.channel);
}
