import type { Committed, Derive, Reading } from '../../api/world.ts';
import type { VoiceState } from './records.ts';
import type { VoiceSettings } from './settings-schema.ts';

/** What becomes different about calls and voice settings. */
export type VoiceChange =
  | { readonly type: 'voice-settings-updated'; readonly settings: VoiceSettings }
  | {
      readonly type: 'voice-channel-selected';
      readonly channelId: string | null;
      readonly guildId: string | null;
    }
  /** Not told of `speaking`, which has changes of its own. */
  | {
      readonly type: 'voice-state-created' | 'voice-state-updated' | 'voice-state-removed';
      readonly state: VoiceState;
    }
  | {
      readonly type: 'speaking-started' | 'speaking-stopped';
      readonly userId: string;
      readonly channelId: string;
    }
  /** How this client plays somebody. */
  | { readonly type: 'user-voice-updated'; readonly userId: string }
  | { readonly type: 'application-voice-updated'; readonly applicationId: string };

/** Settings, then who talks where, then how others are heard. */
export const voiceChanges: Derive<VoiceChange> = (commit, tables) => {
  const [settings] = commit.of('voice').updated;
  return [
    ...(settings === undefined
      ? []
      : [{ type: 'voice-settings-updated', settings: settings.after } as const]),
    ...callChanges(commit, tables),
    ...rowsOf(commit, 'user_voice').map(
      ({ user }) => ({ type: 'user-voice-updated', userId: user }) as const,
    ),
    ...rowsOf(commit, 'application_voice').map(
      ({ application }) => ({ type: 'application-voice-updated', applicationId: application }) as const,
    ),
  ];
};

function rowsOf<Name extends 'user_voice' | 'application_voice'>(commit: Committed, name: Name) {
  const { created, updated, removed } = commit.of(name);
  return [...created, ...updated.map(({ after }) => after), ...removed];
}

/** Whoever changes the channel leaves one and joins the other. */
function callChanges(commit: Committed, tables: Reading): VoiceChange[] {
  const changes = commit.of('voice_states');
  const moves = changes.updated.filter(({ before, after }) => before.channel !== after.channel);
  const stays = changes.updated.filter(({ before, after }) => before.channel === after.channel);
  const gone = [...changes.removed, ...moves.map(({ before }) => before)];
  const come = [...changes.created, ...moves.map(({ after }) => after)];
  const stops = [
    ...gone.filter(({ speaking }) => speaking),
    ...stays.filter(({ before, after }) => before.speaking && !after.speaking).map(({ after }) => after),
  ];
  const starts = [
    ...come.filter(({ speaking }) => speaking),
    ...stays.filter(({ before, after }) => !before.speaking && after.speaking).map(({ after }) => after),
  ];
  const silent = (state: VoiceState): VoiceState => ({ ...state, speaking: false });
  return [
    ...stops.map(speaking('speaking-stopped')),
    ...gone.map(silent).map(told('voice-state-removed')),
    ...selection(commit, tables),
    ...come.map(told('voice-state-created')),
    ...stays
      .filter(({ before, after }) => !sameLook(before, after))
      .map(({ after }) => after)
      .map(told('voice-state-updated')),
    ...starts.map(speaking('speaking-started')),
  ];
}

function selection(commit: Committed, { me, voice_states, channels }: Reading): VoiceChange[] {
  const before = commit.was('voice_states', commit.was('me') ?? me.value)?.channel ?? null;
  const channelId = voice_states.get(me.value)?.channel ?? null;
  if (before === channelId) return [];
  const guildId = (channelId === null ? undefined : channels.get(channelId)?.guild) ?? null;
  return [{ type: 'voice-channel-selected', channelId, guildId }];
}

function told(type: 'voice-state-created' | 'voice-state-updated' | 'voice-state-removed') {
  return (state: VoiceState): VoiceChange => ({ type, state });
}

function speaking(type: 'speaking-started' | 'speaking-stopped') {
  return ({ user, channel }: VoiceState): VoiceChange => ({ type, userId: user, channelId: channel });
}

function sameLook(a: VoiceState, b: VoiceState): boolean {
  const keys = ['nick', 'mute', 'deaf', 'self_mute', 'self_deaf', 'suppress'] as const;
  return keys.every((key) => a[key] === b[key]);
}
