import { afterEach, expect, it, vi } from 'vitest';
import { emulatorBridge } from '../../helpers/emulator-bridge.ts';

afterEach(() => void vi.restoreAllMocks());

it('the core closes every app with 1006 when an event could not be sent, and each app may connect again', async () => {
  const bridge = await emulatorBridge();
  const scopes = ['rpc', 'rpc.voice.read'];
  const apps = [await bridge.app({ scopes }), await bridge.app({ scopes: [] })];
  await apps[0]?.subscribe('VOICE_SETTINGS_UPDATE');
  await apps[0]?.rest();
  vi.spyOn(bridge.emulator, 'voiceSettings').mockImplementationOnce(() => {
    throw new RangeError('canary');
  });
  await bridge.run('voice.set', { key: 'mute', value: true });
  for (const app of apps)
    expect(await app.closed()).toEqual({
      code: 1006,
      message: 'An event could not be sent; connect again',
    });
  const again = await bridge.app({ scopes });
  expect((await again.call('GET_VOICE_SETTINGS')).data).toMatchObject({ mute: true });
});
