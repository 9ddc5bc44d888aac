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

/** A snapshot of the desktop client's voice settings; there is nothing to set. */
export class VoiceSettings extends SdkObject<SettingsFields> {
  static readonly nullobj = nullObject(new VoiceSettings(), new VoiceSettings());

  /** A copy, or what the chat client told; without either everything is off. */
  constructor(other?: VoiceSettings | Partial<WireSettings>) {
    super(other instanceof VoiceSettings ? other : snapshot(other));
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

  /** Such as "SHIFT + F"; empty when nothing is bound. */
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

  /** The local RPC has no documented field for it: false unless the chat client tells `noise_cancellation`. */
  NoiseCancellation(): boolean {
    return this.read('noiseCancellation');
  }
}

function snapshot(
  wire: (Partial<WireSettings> & { readonly noise_cancellation?: unknown }) | undefined,
): SettingsFields {
  if (wire === undefined) return { ...SILENT };
  const { mode, input, output } = wire;
  return {
    selfMute: wire.mute === true,
    selfDeaf: wire.deaf === true,
    inputMode:
      mode?.type === 'PUSH_TO_TALK' ? VoiceInputModeType.PushToTalk : VoiceInputModeType.VoiceActivity,
    pttKey: (mode?.shortcut ?? []).map(({ name, code }) => (name ?? `KEY ${code}`).toUpperCase()).join(' + '),
    inputVolume: volume(input?.volume),
    outputVolume: volume(output?.volume),
    automaticGainControl: wire.automatic_gain_control === true,
    echoCancellation: wire.echo_cancellation === true,
    noiseSuppression: wire.noise_suppression === true,
    noiseCancellation: wire.noise_cancellation === true,
  };
}

function volume(value: number | undefined): number {
  return typeof value === 'number' ? value : 0;
}
