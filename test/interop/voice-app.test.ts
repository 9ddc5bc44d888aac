import { describe, expect, it, vi } from 'vitest';
import { bundled } from '../helpers/bundled.ts';
import { ids } from '../helpers/emulator-world.ts';
import { type FaultBridge, faultBridge, startCommand } from '../helpers/fault-bridge.ts';
import type { VoiceAppReport } from './apps/voice-app.ts';

const ORIGIN = 'http://localhost:3000';
/** Three programs start one after the other, each as fast as a busy machine lets it (ms). */
const PATIENCE_MS = 60_000;
/** The built-in fixture allows no page to speak for it. */
const CLIENT_ID = ids.lighthouse;

function startVoiceApp(bridge: FaultBridge, kind: 'ipc' | 'websocket') {
  const endpoint = bridge.ready.endpoints.find((one) => one.kind === kind)?.path ?? '';
  const words = [endpoint, ORIGIN, CLIENT_ID, bridge.ready.api, ids.harbour, ids.quay];
  return startCommand([process.execPath, bundled('voice-app'), ...words], bridge.env);
}

async function report({ ended }: ReturnType<typeof startVoiceApp>): Promise<VoiceAppReport> {
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as VoiceAppReport;
}

function expectWholeStart(got: VoiceAppReport): void {
  if (got.nullToken !== undefined) {
    expect(got.nullToken).toMatchObject({ cmd: 'AUTHENTICATE', evt: 'ERROR', data: { code: 4009 } });
  }
  expect(got.authenticated).toMatchObject({
    evt: null,
    data: { application: { id: CLIENT_ID }, user: { username: 'river' } },
  });
  const answers = got.subscribed.filter(({ nonce }) => nonce !== null);
  expect(answers.map(({ evt, nonce, data }) => [evt, nonce, data.evt])).toEqual(
    [
      'VOICE_CHANNEL_SELECT',
      'VOICE_CONNECTION_STATUS',
      'VOICE_SETTINGS_UPDATE',
      'VOICE_STATE_CREATE',
      'VOICE_STATE_UPDATE',
      'VOICE_STATE_DELETE',
      'SPEAKING_START',
      'SPEAKING_STOP',
      'NOTIFICATION_CREATE',
    ].map((evt) => [null, 'deadbeef', evt]),
  );
  const replays = got.subscribed.filter(({ nonce }) => nonce === null);
  expect(replays).toMatchObject([
    { evt: 'VOICE_CONNECTION_STATUS', data: { state: 'DISCONNECTED' } },
    { evt: 'VOICE_SETTINGS_UPDATE', data: { mute: false } },
    { evt: 'VOICE_STATE_UPDATE', data: { nick: 'Heron' } },
  ]);
  expect(got.selected.data).toBeNull();
  expect(got.guilds.data.guilds).toHaveLength(2);
  expect(got.channels.data.channels).toMatchObject([{ name: 'arrivals' }, { name: 'Quay', type: 2 }]);
}

describe('the whole start of a voice app', () => {
  it.each(['ipc', 'websocket'] as const)(
    'succeeds over %s, and prompts the user only the first time',
    async (kind) => {
      const bridge = await faultBridge({ args: ['--consent', 'ask', '--http-port', '0'] });
      if (kind === 'websocket') {
        const refused = await startVoiceApp(bridge, kind).ended;
        expect(refused.stderr).toContain('4001');
        const added = await bridge.cli(['origins', 'add', CLIENT_ID, ORIGIN]);
        expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining(ORIGIN) });
      }
      const waiting = async () => (await bridge.json('requests')) as { id: string; clientId: string }[];

      const first = startVoiceApp(bridge, kind);
      const [request] = await vi.waitUntil(async () => {
        const list = await waiting();
        return list.length > 0 && list;
      }, PATIENCE_MS);
      expect(request).toMatchObject({ clientId: CLIENT_ID });
      expect(await bridge.cli(['approve', request?.id ?? '', '--always'])).toMatchObject({ code: 0 });
      const got = await report(first);
      expectWholeStart(got);
      // READY names the user and offers streams over IPC only.
      const more = kind === 'ipc' ? ['user', 'footbridge'] : [];
      expect(Object.keys(got.ready.data)).toEqual(['v', 'config', ...more]);

      // With a grant, `prompt: none` asks nobody: the app would wait for ever here.
      expectWholeStart(await report(startVoiceApp(bridge, kind)));
      expect(await waiting()).toEqual([]);
    },
  );
});
