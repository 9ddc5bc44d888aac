import { Failure } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import type { App } from '../target/app.ts';
import { hasShape } from './shapes.ts';

/** Voice settings from a server, validated against their shape. */
export interface VoiceSettings {
  readonly input: { readonly device_id: string; readonly volume: number };
  readonly output: { readonly device_id: string; readonly volume: number };
  readonly mode: {
    readonly type: string;
    readonly threshold: number;
    readonly delay: number;
    readonly shortcut: unknown;
  };
  readonly deaf: boolean;
  readonly mute: boolean;
  readonly qos: boolean;
}

/** Validates an answer to GET_VOICE_SETTINGS or SET_VOICE_SETTINGS. */
function readSettings(data: unknown, what: string): VoiceSettings & Record<string, unknown> {
  if (!isRecord(data)) throw new Failure(`${what} to answer the whole settings`, formatValue(data));
  hasShape('voiceSettings', data, what);
  return data as unknown as VoiceSettings & Record<string, unknown>;
}

/** Current settings. */
export async function getSettings(app: App): Promise<VoiceSettings & Record<string, unknown>> {
  return readSettings(await app.succeed('GET_VOICE_SETTINGS', {}), 'GET_VOICE_SETTINGS');
}

/** Changes some settings; the answer must contain all settings, the unchanged ones included. */
export async function setSettings(
  app: App,
  patch: unknown,
): Promise<VoiceSettings & Record<string, unknown>> {
  return readSettings(await app.succeed('SET_VOICE_SETTINGS', patch), 'SET_VOICE_SETTINGS');
}

/** Runs `work`, then restores the settings. */
export async function keepingSettings(
  app: App,
  work: (before: VoiceSettings & Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const before = await getSettings(app);
  try {
    await work(before);
  } finally {
    const { input, output, mode, ...flags } = before;
    const rest = Object.fromEntries(Object.entries(flags).filter(([, value]) => typeof value === 'boolean'));
    await app.request('SET_VOICE_SETTINGS', {
      ...rest,
      input: { device_id: input.device_id, volume: input.volume },
      output: { device_id: output.device_id, volume: output.volume },
      mode,
    });
  }
}
