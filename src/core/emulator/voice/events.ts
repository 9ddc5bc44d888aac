import type { Change } from '../../../emulator/compose/change.ts';
import type { VoiceState } from '../../../emulator/guilds/voice/records.ts';
import type { Shared } from '../app-session.ts';
import { tellParticipants, tellSessionSpeaking } from './sessions.ts';
import { applicationVoice, connectionStatus, voiceSettings, voiceState } from './shapes.ts';

type VoiceStateEvent = 'VOICE_STATE_CREATE' | 'VOICE_STATE_UPDATE' | 'VOICE_STATE_DELETE';

/** Turns a change of calls, of voice settings, or of who is in a call, into events. */
export function tellVoice(change: Change, shared: Shared): void {
  const { emulator, host } = shared;
  switch (change.type) {
    case 'voice-settings-updated':
      host.emit('VOICE_SETTINGS_UPDATE', voiceSettings(emulator));
      return;
    case 'application-voice-updated': {
      const { applicationId: clientId } = change;
      host.emit('VOICE_SETTINGS_UPDATE_2', applicationVoice(emulator, clientId), { clientId });
      return;
    }
    case 'voice-channel-selected':
      host.emit('VOICE_CHANNEL_SELECT', { channel_id: change.channelId, guild_id: change.guildId });
      return;
    case 'voice-connection-updated':
      host.emit('VOICE_CONNECTION_STATUS', connectionStatus(change.connection));
      return;
    case 'voice-state-created':
      tellVoiceState('VOICE_STATE_CREATE', change.state, shared);
      return tellParticipants(change.state.channel, shared);
    case 'voice-state-updated':
      return tellVoiceState('VOICE_STATE_UPDATE', change.state, shared);
    case 'voice-state-removed':
      tellVoiceState('VOICE_STATE_DELETE', change.state, shared);
      return tellParticipants(change.state.channel, shared);
    case 'user-voice-updated':
      return tellOwnView(change.userId, shared);
    case 'user-updated':
      return tellOwnView(change.user.id, shared);
    case 'member-updated':
      return tellOwnViewIn(change.guildId, change.member.user, shared);
    case 'speaking-started':
    case 'speaking-stopped':
      tellSpeaking(change, shared);
      return tellSessionSpeaking(change, shared);
    default:
      return;
  }
}

/** Somebody looks or sounds different without having done anything: name, nickname, local volume. */
function tellOwnView(userId: string, shared: Shared): void {
  const state = shared.emulator.calls.of(userId);
  if (state !== undefined) tellVoiceState('VOICE_STATE_UPDATE', state, shared);
}

/** A nickname is shown in the calls of its guild only. */
function tellOwnViewIn(guildId: string, userId: string, shared: Shared): void {
  const talksIn = shared.emulator.calls.of(userId)?.channel;
  const found = talksIn === undefined ? undefined : shared.emulator.channel(talksIn);
  if (found?.kind === 'found' && found.channel.guild_id === guildId) tellOwnView(userId, shared);
}

/** Nothing of a channel that the user cannot see, even to one who subscribed while they could. */
function tellVoiceState(event: VoiceStateEvent, state: VoiceState, { emulator, host }: Shared): void {
  if (emulator.channel(state.channel).kind !== 'found') return;
  const data = voiceState(emulator, state);
  if (data !== undefined) host.emit(event, data, { filter: { channel_id: state.channel } });
}

/** Without a channel a subscription means the channel that the user is in; by id it means that one, heard or not. */
function tellSpeaking(
  change: Extract<Change, { readonly type: 'speaking-started' | 'speaking-stopped' }>,
  { emulator, host, sessions }: Shared,
): void {
  const { userId, channelId } = change;
  if (emulator.channel(channelId).kind !== 'found') return;
  const event = change.type === 'speaking-started' ? 'SPEAKING_START' : 'SPEAKING_STOP';
  const data = { channel_id: channelId, user_id: userId };
  if (emulator.selectedVoiceChannel()?.id === channelId) {
    host.emit(event, data, { filter: { channel_id: channelId } });
    return;
  }
  for (const session of sessions.values()) {
    if (session.listens(event, channelId)) host.emit(event, data, { sessionId: session.id });
  }
}
