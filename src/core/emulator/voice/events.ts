import type { Committed } from '../../../emulator/api/world.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { ownChannelChange } from '../../../emulator/guilds/voice/own-channel.ts';
import type { VoiceState } from '../../../emulator/guilds/voice/records.ts';
import { defineCommitEvents, defineSignalEvents, type FeedContext, type Outgoing } from '../rpc-event.ts';
import { participantsIn, speakingInSession } from './sessions.ts';
import { applicationVoice, connectionStatus, voiceSettings, voiceState } from './shapes.ts';

type VoiceStateEvent = 'VOICE_STATE_CREATE' | 'VOICE_STATE_UPDATE' | 'VOICE_STATE_DELETE';
type SpeakingEvent = 'SPEAKING_START' | 'SPEAKING_STOP';

/** Event for the voice settings of the client. */
export const voiceSettingsEvents = defineCommitEvents({
  events: ['VOICE_SETTINGS_UPDATE'],
  tables: ['voice'],
  *derive(commit, { emulator }) {
    if (commit.of('voice').updated.length === 0) return;
    yield { event: 'VOICE_SETTINGS_UPDATE', data: () => voiceSettings(emulator) };
  },
});

/** Events for users who join, leave and speak. A move leaves one channel and joins the other. */
export const callEvents = defineCommitEvents({
  events: [
    'SPEAKING_STOP',
    'VOICE_SESSION_SPEAKING_STOP',
    'VOICE_STATE_DELETE',
    'VOICE_CHANNEL_SELECT',
    'VOICE_STATE_CREATE',
    'VOICE_SESSION_PARTICIPANTS_UPDATE',
    'VOICE_STATE_UPDATE',
    'SPEAKING_START',
    'VOICE_SESSION_SPEAKING_START',
  ],
  tables: ['voice_states', 'me'],
  *derive(commit, context) {
    const { emulator } = context;
    const { removed: left, come, stays, stops, starts } = callChanges(commit);
    for (const state of stops) yield* speaking('SPEAKING_STOP', state, context);
    for (const state of left) {
      for (const outgoing of seen(state, emulator)) yield { event: 'VOICE_STATE_DELETE', ...outgoing };
      yield* participantsIn(state.channel, context);
    }
    const selected = ownChannelChange(commit, emulator.tables);
    if (selected !== undefined) {
      const { channel: channel_id, guild: guild_id } = selected;
      yield { event: 'VOICE_CHANNEL_SELECT', data: () => ({ channel_id, guild_id }) };
    }
    for (const state of come) {
      for (const outgoing of seen(state, emulator)) yield { event: 'VOICE_STATE_CREATE', ...outgoing };
      yield* participantsIn(state.channel, context);
    }
    for (const outgoing of stays.flatMap((state) => seen(state, emulator))) {
      yield { event: 'VOICE_STATE_UPDATE', ...outgoing };
    }
    for (const state of starts) yield* speaking('SPEAKING_START', state, context);
  },
});

/** Event for the local playback settings for a user. */
export const playbackEvents = defineCommitEvents({
  events: ['VOICE_STATE_UPDATE'],
  tables: ['user_voice'],
  *derive(commit, context) {
    for (const { user } of rowsOf(commit, 'user_voice')) yield* ownView(user, context);
  },
});

/** Event for the voice settings of an application. */
export const applicationVoiceEvents = defineCommitEvents({
  events: ['VOICE_SETTINGS_UPDATE_2'],
  tables: ['application_voice'],
  *derive(commit, { emulator }) {
    for (const { application: clientId } of rowsOf(commit, 'application_voice')) {
      yield {
        event: 'VOICE_SETTINGS_UPDATE_2',
        data: () => applicationVoice(emulator, clientId),
        to: { clientId },
      };
    }
  },
});

/** Event for the state of the voice connection. */
export const connectionEvents = defineSignalEvents({
  signal: 'voice-connection-updated',
  events: ['VOICE_CONNECTION_STATUS'],
  *derive({ connection }) {
    yield { event: 'VOICE_CONNECTION_STATUS', data: () => connectionStatus(connection) };
  },
});

/**
 * Event for a user whose appearance in a call changes without a change of the voice state: name, nickname, local
 * volume.
 */
export function* ownView(
  userId: string,
  { emulator }: FeedContext,
): Iterable<Outgoing<'VOICE_STATE_UPDATE'>> {
  const state = emulator.calls.of(userId);
  if (state === undefined) return;
  for (const outgoing of seen(state, emulator)) yield { event: 'VOICE_STATE_UPDATE', ...outgoing };
}

/** Event for a user's nickname in a guild, which applies only to the calls of that guild. */
export function* ownViewIn(
  guildId: string,
  userId: string,
  context: FeedContext,
): Iterable<Outgoing<'VOICE_STATE_UPDATE'>> {
  const { emulator } = context;
  const found = emulator.channel(emulator.calls.of(userId)?.channel ?? '');
  if (found.kind === 'found' && found.channel.guild_id === guildId) yield* ownView(userId, context);
}

/**
 * Event data for a voice state. Omits a channel that the user can no longer see, even for subscriptions made while the
 * user could.
 */
function seen(state: VoiceState, emulator: Emulator): readonly Omit<Outgoing<VoiceStateEvent>, 'event'>[] {
  const { channel: channel_id } = state;
  if (emulator.channel(channel_id).kind !== 'found') return [];
  return [{ data: () => voiceState(emulator, state), to: { filter: { channel_id } } }];
}

/**
 * Events for a user who starts or stops speaking. A subscription without a channel id stands for the user's current
 * channel; a subscription with an id stands for that channel, current or not.
 */
function* speaking(
  event: SpeakingEvent,
  { user: user_id, channel: channel_id }: VoiceState,
  context: FeedContext,
): Iterable<Outgoing<SpeakingEvent | `VOICE_SESSION_${SpeakingEvent}`>> {
  const { emulator, subscribers } = context;
  const data = () => ({ channel_id, user_id });
  if (emulator.channel(channel_id).kind === 'found') {
    if (emulator.selectedVoiceChannel()?.id === channel_id)
      yield { event, data, to: { filter: { channel_id } } };
    else {
      for (const { id: sessionId } of subscribers.naming(event, channel_id)) {
        yield { event, data, to: { sessionId } };
      }
    }
  }
  yield* speakingInSession(`VOICE_SESSION_${event}`, { user: user_id, channel: channel_id }, context);
}

function callChanges(commit: Committed) {
  const changes = commit.of('voice_states');
  const moves = changes.updated.filter(({ before, after }) => before.channel !== after.channel);
  const stays = changes.updated.filter(({ before, after }) => before.channel === after.channel);
  const left = [...changes.removed, ...moves.map(({ before }) => before)];
  const come = [...changes.created, ...moves.map(({ after }) => after)];
  return {
    removed: left,
    come,
    stays: stays.filter(({ before, after }) => !isSameView(before, after)).map(({ after }) => after),
    stops: [
      ...left.filter((state) => state.speaking),
      ...stays.filter(({ before, after }) => before.speaking && !after.speaking).map(({ after }) => after),
    ],
    starts: [
      ...come.filter((state) => state.speaking),
      ...stays.filter(({ before, after }) => !before.speaking && after.speaking).map(({ after }) => after),
    ],
  };
}

function rowsOf<Name extends 'user_voice' | 'application_voice'>(commit: Committed, name: Name) {
  const { created, updated, removed } = commit.of(name);
  return [...created, ...updated.map(({ after }) => after), ...removed];
}

function isSameView(a: VoiceState, b: VoiceState): boolean {
  const keys = ['nick', 'mute', 'deaf', 'self_mute', 'self_deaf', 'suppress'] as const;
  return keys.every((key) => a[key] === b[key]);
}
