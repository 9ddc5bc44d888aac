import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { startArrpc } from '../helpers/arrpc-daemon.ts';
import { createRuntime, type Daemon, startDaemon } from '../helpers/daemon.ts';
import { fakeReady } from '../helpers/fake-core.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { type Script, ScriptedClient } from '../helpers/scripted-client.ts';
import { type Library, libraries, type RunningApp, startApp } from './start-app.ts';
import { wholeSequence } from './whole-sequence.ts';

const CLIENT_ID = '300000000000000001';

async function start(options: Parameters<typeof startDaemon>[0]): Promise<Daemon> {
  const daemon = await startDaemon(options);
  onTestFinished(async () => void (await daemon.stop()));
  return daemon;
}

function newRuntime() {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  return runtime;
}

function newApp(library: Library, { env }: Daemon): RunningApp {
  const app = startApp(library, env, { errorListener: false });
  onTestFinished(async () => void (await app.end()));
  return app;
}

describe.each(Object.keys(libraries) as Library[])(
  'an app made with %s, with a bridge in front of',
  (library) => {
    it('another Footbridge, completes the whole sequence', { timeout: 120_000 }, async () => {
      const behind = await start({});
      const front = await start({ args: ['--core', 'upstream', '--upstream', behind.endpoint] });
      const app = newApp(library, front);
      for (let round = 0; round < 5; round++) await wholeSequence(app, behind, round);
      await app.settle();
      expect(await app.end()).toBe(0);
    });

    it('arRPC, sets its presence through the bridge, which holds index 0 because it started first', async () => {
      const runtime = newRuntime();
      const front = await start({ runtime, args: ['--core', 'upstream'] });
      expect(front.endpoint).toBe(join(runtime.folder, 'discord-ipc-0'));
      await startArrpc(runtime.env, join(runtime.folder, 'discord-ipc-1'));
      const app = newApp(library, front);
      expect(await app.connect(CLIENT_ID)).toBe('arrpc');
      for (let round = 0; round < 20; round++) {
        expect(await app.setActivity(`Round ${round}`)).toMatchObject({
          application_id: CLIENT_ID,
          details: `Round ${round}`,
        });
      }
      expect(await app.clearActivity()).toBeNull();
      expect(await front.json('status')).toMatchObject({
        core: { name: 'upstream' },
        behind: true,
        notInFrontOf: [],
      });
      expect((await front.cli(['status'])).stdout).toContain(
        `a chat client stands behind it at ${join(runtime.folder, 'discord-ipc-1')}`,
      );
      await app.destroy();
    });

    it('a client with the quirks of the real one, receives the answers of that client', async () => {
      const runtime = newRuntime();
      await new ScriptedClient(join(runtime.folder, 'client'), quirky()).start();
      const front = await start({
        runtime,
        args: ['--core', 'upstream', '--upstream', join(runtime.folder, 'client')],
      });
      const app = newApp(library, front);
      expect(await app.connect(CLIENT_ID)).toBe('mason');
      // With a token nobody has to be asked for one.
      await app.login({ clientId: CLIENT_ID, scopes: ['rpc'], api: 'http://127.0.0.1:9', token: 'token' });
      expect(await app.voiceSettings()).toEqual({ mute: false, volume: 100, mode: 'VOICE_ACTIVITY' });
      expect(
        await app.subscribeAll([['VOICE_SETTINGS_UPDATE'], ['GUILD_STATUS', { guild_id: '1' }]]),
      ).toEqual(['answered', 4003]);
      expect(await app.events(2)).toMatchObject([
        { evt: 'VOICE_SETTINGS_UPDATE', data: { mute: false } },
        { evt: 'VOICE_SETTINGS_UPDATE', data: { mute: true } },
      ]);
      expect(await app.setActivity('On the bridge')).toMatchObject({ details: 'On the bridge' });
      expect(await app.clearActivity()).toBeNull();
    });
  },
);

/** Late, in pieces or in one write with the next frame, with keys missing, and with codes where texts belong. */
function quirky(): Script {
  const device = { available_devices: [], device_id: 'default', volume: 100 };
  const mode = { type: 'VOICE_ACTIVITY', auto_threshold: true, threshold: -60, shortcut: [], delay: 20 };
  const voice = { mute: false, deaf: false, input: device, output: device, mode };
  const frame = (body: object): Uint8Array => frameBytes(Opcode.FRAME, JSON.stringify(body));
  return {
    handshake: (session) => void setTimeout(() => session.ready(fakeReady), 300),
    request(session, request) {
      const { cmd, nonce, args } = request;
      switch (cmd) {
        case 'AUTHENTICATE': {
          const application = { id: CLIENT_ID, name: 'Harbour Example' };
          const { user } = fakeReady;
          const data = { application, user, scopes: ['rpc'], expires: '2030-01-01T00:00:00.000Z' };
          const bytes = frame({ cmd, data: { ...data, access_token: args.access_token }, evt: null, nonce });
          for (const byte of bytes) session.socket.write(Uint8Array.of(byte));
          return;
        }
        case 'GET_VOICE_SETTINGS':
          // Without `evt`, as the documents show it.
          return session.payload({ cmd, data: voice, nonce });
        case 'SUBSCRIBE': {
          if (request.evt !== 'VOICE_SETTINGS_UPDATE') {
            return session.payload({ cmd, data: { code: 4003 }, evt: 'ERROR', nonce });
          }
          const event = (mute: boolean) => {
            return frame({ cmd: 'DISPATCH', data: { ...voice, mute }, evt: 'VOICE_SETTINGS_UPDATE' });
          };
          const reply = frame({ cmd, data: { evt: request.evt }, evt: null, nonce });
          // Three frames in one write.
          session.socket.write(Buffer.concat([reply, event(false), event(true)]));
          return;
        }
        case 'SET_ACTIVITY':
          return session.answer(request, args.activity ?? null);
        default:
          return session.answer(request);
      }
    },
  };
}

describe('a bridge that started after the client', () => {
  it('reports that it is not in front, and how to change that', async () => {
    const runtime = newRuntime();
    await startArrpc(runtime.env, join(runtime.folder, 'discord-ipc-0'));
    const front = await start({ runtime, args: ['--core', 'upstream'] });
    expect(front.endpoint).toBe(join(runtime.folder, 'discord-ipc-1'));
    expect(front.output().stderr).toContain('The bridge is not in front');
    const { stdout } = await front.cli(['status']);
    expect(stdout).toMatch(
      /^not in front +\S+discord-ipc-0: .*\nto do +either run the bridge as a service, .* or end the chat client, start/m,
    );
    expect(stdout.match(/^to do /gm)).toHaveLength(1);
  });
});
