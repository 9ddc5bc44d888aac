import { verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord, isSame } from '../schema.ts';
import { isError } from '../target/app.ts';
import { runningCase, type ServerCase } from './case.ts';
import type { Context } from './context.ts';
import { hasShape } from './shapes.ts';
import { getSettings, keepingSettings, setSettings } from './voice-settings.ts';

const voice = runningCase('together', { profile: 'voice', lane: 'voice' });

/** Case with a patch that the server must refuse with 4000, without any change. */
function refused(id: string, title: string, patch: unknown): ServerCase {
  const run = async (context: Context) => {
    const app = await context.authenticated();
    await keepingSettings(app, async (before) => {
      isError(await app.request('SET_VOICE_SETTINGS', patch), [4000]);
      const after = await getSettings(app);
      verify(isSame(before, after), 'the settings as they were', () => formatValue(after));
    });
  };
  return voice(id, title, run);
}

/** Settings without `keys`, to prove that nothing else changed. */
function without(settings: Record<string, unknown>, ...keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !keys.includes(key)));
}

/** Cases about GET_VOICE_SETTINGS and SET_VOICE_SETTINGS. */
export const voiceCases: readonly ServerCase[] = [
  voice('voice/1', 'the settings are complete', async (context) => {
    await getSettings(await context.authenticated());
  }),
  voice('voice/2', 'every number is in its range', async (context) => {
    hasShape('voiceRanges', await getSettings(await context.authenticated()), 'settings');
  }),
  voice('voice/3', 'the shortcut is an array of keys', async (context) => {
    const { mode } = await getSettings(await context.authenticated());
    hasShape('shortcut', mode.shortcut, 'mode.shortcut');
  }),
  voice('voice/4', 'a change answers the whole settings and touches nothing else', async (context) => {
    const app = await context.authenticated();
    await keepingSettings(app, async (before) => {
      const after = await setSettings(app, { qos: !before.qos });
      verify(after.qos === !before.qos, `qos ${!before.qos}`, String(after.qos));
      verify(isSame(without(before, 'qos'), without(after, 'qos')), 'everything but qos as it was', () =>
        formatValue(after),
      );
      verify(
        isSame(after, await getSettings(app)),
        'GET_VOICE_SETTINGS to agree with the answer',
        'it differs',
      );
    });
  }),
  voice('voice/5', 'nested objects are merged field by field', async (context) => {
    const app = await context.authenticated();
    await keepingSettings(app, async (before) => {
      const volume = before.input.volume === 40 ? 41 : 40;
      const after = await setSettings(app, { input: { volume } });
      verify(after.input.volume === volume, `input.volume ${volume}`, String(after.input.volume));
      const isUnchanged =
        after.input.device_id === before.input.device_id && isSame(before.output, after.output);
      verify(isUnchanged, 'input.device_id and output as they were', () => formatValue(after.input));
    });
  }),
  refused('voice/6', 'input volume 201', { input: { volume: 201 } }),
  refused('voice/7', 'input volume -1', { input: { volume: -1 } }),
  refused('voice/8', 'output volume 201', { output: { volume: 201 } }),
  refused('voice/9', 'threshold 1 dB', { mode: { threshold: 1 } }),
  refused('voice/10', 'threshold -101 dB', { mode: { threshold: -101 } }),
  refused('voice/11', 'delay 2001 ms', { mode: { delay: 2001 } }),
  refused('voice/12', 'mute as a string', { mute: 'true' }),
  refused('voice/13', 'a volume as a string', { input: { volume: '50' } }),
  refused('voice/14', 'a device that does not exist', {
    input: { device_id: 'no such device' },
  }),
  refused('voice/15', 'a mode that does not exist', { mode: { type: 'TELEPATHY' } }),
  refused('voice/16', 'a shortcut key without code', {
    mode: { shortcut: [{ type: 0 }] },
  }),
  refused('voice/17', 'one field is wrong: none is changed', {
    qos: true,
    mute: true,
    deaf: true,
    input: { volume: 1000 },
  }),
  voice('voice/18', 'a shortcut key without a name', async (context) => {
    const app = await context.authenticated();
    await keepingSettings(app, async () => {
      const after = await setSettings(app, { mode: { shortcut: [{ type: 0, code: 65 }] } });
      const [key] = Array.isArray(after.mode.shortcut) ? (after.mode.shortcut as unknown[]) : [];
      const isSet = isRecord(key) && key['type'] === 0 && key['code'] === 65;
      verify(isSet, 'mode.shortcut [{type: 0, code: 65, …}]', () => formatValue(after.mode.shortcut));
    });
  }),
  voice('voice/19', 'volumes keep their fractions', async (context) => {
    const app = await context.authenticated();
    await keepingSettings(app, async () => {
      const after = await setSettings(app, { input: { volume: 49.80392074584961 } });
      const { volume } = after.input;
      verify(Math.abs(volume - 49.80392074584961) < 0.001, 'input.volume 49.803…', String(volume));
    });
  }),
  voice('voice/20', 'available_devices is ignored when sent', async (context) => {
    const app = await context.authenticated();
    await keepingSettings(app, async (before) => {
      const after = await setSettings(app, { input: { available_devices: [{ id: 'x', name: 'X' }] } });
      verify(isSame(before, after), 'the settings as they were', () => formatValue(after.input));
    });
  }),
  voice('voice/21', 'an empty change answers the whole settings', async (context) => {
    const app = await context.authenticated();
    verify(isSame(await getSettings(app), await setSettings(app, {})), 'the settings as they were', 'others');
  }),
  voice('voice/22', 'the largest values are accepted', async (context) => {
    const app = await context.authenticated();
    await keepingSettings(app, async () => {
      const after = await setSettings(app, {
        input: { volume: 100 },
        output: { volume: 200 },
        mode: { threshold: -100, delay: 2000 },
      });
      const { input, output, mode } = after;
      const isSet =
        input.volume === 100 && output.volume === 200 && mode.threshold === -100 && mode.delay === 2000;
      verify(isSet, 'input 100, output 200, threshold -100, delay 2000', () =>
        formatValue({ input, output, mode }),
      );
    });
  }),
];
