import type { Channel, VoiceSettings, VoiceSettingsPatch, VoiceState } from '../../client/generated.ts';

/** Why nobody hears the user: own mute, own deafening, a moderator, or the audience of a stage. */
export type MutedBy = 'self' | 'deafened' | 'server' | 'stage';

/** Modes by the words of the command line. */
export const MODES = { 'push-to-talk': 'PUSH_TO_TALK', 'voice-activity': 'VOICE_ACTIVITY' } as const;
export type Mode = keyof typeof MODES;

/** Another user in the voice channel. */
export interface VoiceUser {
  readonly id: string;
  readonly name: string;
  readonly muted: boolean;
  readonly deafened: boolean;
  /** Local volume, 0 to 200. */
  readonly volume: number;
}

/** State of voice as commands and bars show it. */
export interface VoiceView {
  /** Whether nobody hears the user, for whatever reason. */
  readonly muted: boolean;
  readonly mutedBy: readonly MutedBy[];
  readonly deafened: boolean;
  readonly deafenedBy: readonly ('self' | 'server')[];
  readonly mode: Mode;
  /** Whether the bridge holds push to talk down. */
  readonly talking: boolean;
  readonly input: number;
  readonly output: number;
  readonly channel: { readonly id: string; readonly name: string; readonly guild: string | null } | null;
  readonly users: readonly VoiceUser[];
}

/** What the chat client has said. */
export interface VoiceFacts {
  readonly settings: VoiceSettings;
  /** The voice channel that the user is in; its `voice_states` are current. */
  readonly channel: Channel | null;
  /** Id of the user. */
  readonly me: string | undefined;
  /** Own mute under the deafening, where the bridge knows better than a client that reports a deafened user as muted. */
  readonly muteUnderDeafening: boolean | undefined;
  readonly pressed: boolean;
}

/** The state that follows from the facts. */
export function viewOf({ settings, channel, me, muteUnderDeafening, pressed }: VoiceFacts): VoiceView {
  const own = channel?.voice_states.find(({ user }) => user.id === me)?.voice_state;
  const selfMute = settings.deaf ? (muteUnderDeafening ?? settings.mute) : settings.mute;
  const mutedBy = [
    ...(selfMute ? (['self'] as const) : []),
    ...(settings.deaf ? (['deafened'] as const) : []),
    ...(own?.mute === true ? (['server'] as const) : []),
    ...(own?.suppress === true ? (['stage'] as const) : []),
  ];
  const deafenedBy = [
    ...(settings.deaf ? (['self'] as const) : []),
    ...(own?.deaf === true ? (['server'] as const) : []),
  ];
  return {
    muted: mutedBy.length > 0,
    mutedBy,
    deafened: deafenedBy.length > 0,
    deafenedBy,
    mode: settings.mode.type === MODES['push-to-talk'] ? 'push-to-talk' : 'voice-activity',
    talking: pressed && mutedBy.length === 0,
    input: settings.input.volume,
    output: settings.output.volume,
    channel: channel === null ? null : { id: channel.id, name: channel.name, guild: channel.guild_id },
    users: channel === null ? [] : channel.voice_states.filter(({ user }) => user.id !== me).map(userOf),
  };
}

function userOf({ nick, user, volume, mute, voice_state: state }: VoiceState): VoiceUser {
  return {
    id: user.id,
    name: nick || user.global_name || user.username,
    muted: mute || state.mute || state.self_mute || state.suppress,
    deafened: state.deaf || state.self_deaf,
    volume,
  };
}

/** A change of mute and deafening that the user asks for. */
export interface MuteChange {
  readonly mute?: boolean | 'toggle' | undefined;
  readonly deafen?: boolean | 'toggle' | undefined;
}

/** Mute and deafening to set. */
export interface MuteTarget {
  /** Undefined leaves own mute to the chat client, which returns to the mute of before a deafening that it knows better. */
  readonly mute: boolean | undefined;
  readonly deaf: boolean;
}

/**
 * Mute and deafening after a change. Deafening mutes, and the mute of before returns after it. A user who unmutes wants to be
 * heard, so unmuting ends the deafening, too, as the buttons of chat clients do.
 */
export function muteTarget(
  { settings, muteUnderDeafening }: Pick<VoiceFacts, 'settings' | 'muteUnderDeafening'>,
  change: MuteChange,
): MuteTarget {
  const mute = change.mute === 'toggle' ? !(settings.mute || settings.deaf) : change.mute;
  const deafen = change.deafen === 'toggle' ? !settings.deaf : change.deafen;
  return {
    mute: mute ?? (settings.deaf ? muteUnderDeafening : settings.mute),
    deaf: deafen ?? (mute === false ? false : settings.deaf),
  };
}

/** Settings, and own mute under a deafening. */
export type MuteFacts = Pick<VoiceFacts, 'settings' | 'muteUnderDeafening'>;

/** Applies a change by the settings that differ, with `set`, which resolves with the client's settings after it. */
export async function applyMute(
  before: MuteFacts,
  change: MuteChange,
  set: (patch: VoiceSettingsPatch) => Promise<VoiceSettings>,
): Promise<MuteFacts> {
  const { mute, deaf } = muteTarget(before, change);
  let { settings } = before;
  const differing = (): VoiceSettingsPatch | undefined => {
    const patch = {
      ...(deaf === settings.deaf ? {} : { deaf }),
      ...(mute === undefined || mute === settings.mute ? {} : { mute }),
    };
    return Object.keys(patch).length === 0 ? undefined : patch;
  };
  const first = differing();
  if (first !== undefined) settings = await set(first);
  // A client that ties mute to deafening may have changed one with the other. While the user is deafened, the mute that it
  // reports may be the deafening.
  const second = settings.deaf ? undefined : differing();
  if (first !== undefined && second !== undefined) settings = await set(second);
  return { settings, muteUnderDeafening: settings.deaf ? mute : undefined };
}

/**
 * Own mute under the deafening after settings have come from the client. A mute that changes while the user is deafened was
 * set elsewhere, so the client alone knows what returns.
 */
export function muteUnder(
  before: MuteFacts,
  { deaf, mute }: Pick<VoiceSettings, 'deaf' | 'mute'>,
): boolean | undefined {
  return deaf && mute === before.settings.mute ? before.muteUnderDeafening : undefined;
}
