import type { VoiceSettings as WireSettings } from '../client/index.ts';
import { VoiceInputModeType } from './enums.ts';
import { nullObject, SdkObject } from './object.ts';

interface SettingsFields {
  selfMute: boolean;
  selfDeaf: boolean;
  inputMode: VoiceInputModeType;
  pttKey: string;
  inputVolume: number;
  outputVolume: number;
  automaticGainControl: boolean;
  echoCancellation: boolean;
  noiseSuppression: boolean;
  noiseCancellation: boolean;
}

const SILENT: SettingsFields = {
  selfMute: false,
  selfDeaf: false,
  inputMode: VoiceInputModeType.VoiceActivity,
  pttKey: '',
  inputVolume: 0,
  outputVolume: 0,
  automaticGainControl: false,
  echoCancellation: false,
  noiseSuppression: false,
  noiseCancellation: false,
};

/** Data of GET_VOICE_SETTINGS and VOICE_SETTINGS_UPDATE; a chat client may omit any member. */
type RawSettings = Partial<WireSettings> & { readonly noise_cancellation?: unknown };

/** Read-only snapshot of the desktop client's voice settings. */
export class VoiceSettings extends SdkObject<SettingsFields> {
  static readonly nullobj = nullObject('VoiceSettings', new VoiceSettings(), new VoiceSettings());

  /** Copies `other`, or converts data from the chat client. Without an argument everything is off. */
  constructor(other?: VoiceSettings | RawSettings) {
    // Data from the chat client may be any value, and only null has no members to read.
    if (other === null) throw new TypeError('VoiceSettings: the other object must be of the same class');
    super(other instanceof SdkObject ? other : undefined, snapshot(other));
  }

  SelfMute(): boolean {
    return this.read('selfMute');
  }

  SelfDeaf(): boolean {
    return this.read('selfDeaf');
  }

  InputMode(): VoiceInputModeType {
    return this.read('inputMode');
  }

  /** Keys of push-to-talk, for example "SHIFT + F"; empty when no key is bound. */
  PttKey(): string {
    return this.read('pttKey');
  }

  /** 0 to 100. */
  InputVolume(): number {
    return this.read('inputVolume');
  }

  /** 0 to 200. */
  OutputVolume(): number {
    return this.read('outputVolume');
  }

  AutomaticGainControl(): boolean {
    return this.read('automaticGainControl');
  }

  EchoCancellation(): boolean {
    return this.read('echoCancellation');
  }

  NoiseSuppression(): boolean {
    return this.read('noiseSuppression');
  }

  /**
   * Whether noise cancellation is on. The local RPC has no documented field for this: false unless the chat client
   * sends `noise_cancellation`.
   */
  NoiseCancellation(): boolean {
    return this.read('noiseCancellation');
  }
}

function snapshot(raw: VoiceSettings | RawSettings | undefined): SettingsFields {
  if (raw === undefined || raw instanceof SdkObject) return { ...SILENT };
  const { mode, input, output } = raw;
  return {
    selfMute: raw.mute === true,
    selfDeaf: raw.deaf === true,
    inputMode:
      mode?.type === 'PUSH_TO_TALK' ? VoiceInputModeType.PushToTalk : VoiceInputModeType.VoiceActivity,
    pttKey: [mode?.shortcut].flat().map(keyName).filter(Boolean).join(' + '),
    inputVolume: volume(input?.volume),
    outputVolume: volume(output?.volume),
    automaticGainControl: raw.automatic_gain_control === true,
    echoCancellation: raw.echo_cancellation === true,
    noiseSuppression: raw.noise_suppression === true,
    noiseCancellation: raw.noise_cancellation === true,
  };
}

/**
 * Name of one key of a shortcut. A chat client sends a list of keys; the public documentation describes a single key
 * (protocol 6.1).
 */
function keyName(key: { readonly name?: unknown; readonly code?: unknown } | null | undefined): string {
  if (typeof key?.name === 'string') return key.name.toUpperCase();
  return typeof key?.code === 'number' ? `KEY ${key.code}` : '';
}

function volume(value: number | undefined): number {
  return typeof value === 'number' ? value : 0;
}
