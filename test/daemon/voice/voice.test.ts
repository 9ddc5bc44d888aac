import { describe, expect, it, onTestFinished } from 'vitest';
import { attachCore } from '../../../src/core/attach/attach-core.ts';
import type { ClientCore, CoreHandlers, CoreSession, Peer } from '../../../src/core/core.ts';
import { emulatorCore } from '../../../src/core/emulator/emulator-core.ts';
import { ownTransport } from '../../../src/daemon/voice/own-transport.ts';
import type { OwnToken } from '../../../src/daemon/voice/token-file.ts';
import { Voice } from '../../../src/daemon/voice/voice.ts';
import { anybodyMayAnswer } from '../../../src/emulator/api/waiting-request.ts';
import { footbridgeApplication } from '../../../src/emulator/applications/applications.ts';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { RpcError } from '../../../src/protocol/errors.ts';
import { createServer, type Server } from '../../../src/server/server.ts';
import type { Connection } from '../../../src/wire/connection.ts';
import { person, testClient } from '../../helpers/attach-bridge.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';
import { patch } from '../../helpers/patched.ts';

const MINUTE = 60_000;

/** Voice at a core, with a clock that stands still. */
async function voiceAt(core: ClientCore, clock = new ManualClock()) {
  let accept: (connection: Connection) => void = () => {};
  const server = await createServer({
    core,
    transports: [
      {
        async listen(onConnection) {
          accept = onConnection;
          return [];
        },
        stopAccepting() {},
        async close() {},
      },
    ],
  });
  onTestFinished(() => server.close());
  const stored: OwnToken[] = [];
  const open = () => {
    const voice = new Voice({
      transport: ownTransport(core.name, { pid: process.pid, uid: 0 }, (connection) => accept(connection)),
      place: { core: core.name, clientId: footbridgeApplication.id },
      api: server.core.api,
      tokens: { load: () => stored.at(-1), save: (token) => void stored.push(token), close() {} },
      clock: { now: () => clock.now(), after: (ms, task) => clock.setTimeout(task, ms) },
    });
    onTestFinished(() => voice.close());
    return voice;
  };
  return { server, clock, stored, open, voice: open() };
}

/** The core with a fault: each PUSH_TO_TALK of `refusals` gets an error, a press although it is pressed. */
function refusing(core: ClientCore, refusals: boolean[]): ClientCore {
  const open = async (peer: Peer): Promise<CoreSession> => {
    const session = await core.open(peer);
    const { handlers } = session;
    const own: CoreHandlers['PUSH_TO_TALK'] = (args, call) => {
      const isRefused = refusals[0] === args.active;
      const answer = isRefused && !args.active ? null : handlers.PUSH_TO_TALK?.(args, call);
      if (!isRefused) return answer as never;
      refusals.shift();
      throw new RpcError(1000, 'a fault');
    };
    const faulty = new Proxy(handlers, {
      get: (all, name) => (name === 'PUSH_TO_TALK' ? own : Reflect.get(all, name, all)),
    });
    return new Proxy(session, {
      get: (all, name) => {
        const value: unknown = name === 'handlers' ? faulty : Reflect.get(all, name, all);
        return typeof value === 'function' ? value.bind(all) : value;
      },
    });
  };
  return { ...core, open };
}

async function overEmulator(
  policy: 'allow' | 'ask' = 'allow',
  change: unknown = {},
  refusals: boolean[] = [],
) {
  const clock = new ManualClock();
  const consent = { policy, promptsPerMinute: Number.POSITIVE_INFINITY, pauseMs: 0, readingMs: 0 };
  const emulator = await createEmulator({ fixture: patch(defaultFixture(), change).fixture, clock, consent });
  const core = emulatorCore({ emulator, mayAnswer: anybodyMayAnswer, httpPort: 0 });
  return { emulator, ...(await voiceAt(refusals.length > 0 ? refusing(core, refusals) : core, clock)) };
}

/** Runs an operation of the core. */
async function run({ core }: Server, operation: string, args: object): Promise<unknown> {
  const found = core.admin[operation];
  if (found === undefined) throw new Error(`no operation ${operation}`);
  return found.run(args, { via: 'control' });
}

const sessions = ({ server }: Pick<Awaited<ReturnType<typeof voiceAt>>, 'server'>) =>
  server.sessions().length;

describe('voice over the emulator', () => {
  it('opens one session with the first call, and no endpoint', async () => {
    const bridge = await overEmulator();
    expect(sessions(bridge)).toBe(0);
    expect(bridge.server.endpoints).toEqual([]);
    await Promise.all([bridge.voice.show(), bridge.voice.change({ mute: true }), bridge.voice.show()]);
    expect(bridge.server.sessions()).toMatchObject([
      { clientId: footbridgeApplication.id, transport: 'memory', pid: process.pid },
    ]);
    expect(bridge.emulator.application(footbridgeApplication.id)?.name).toBe('Footbridge');
  });

  it('ends an unused session after five minutes, and keeps one that somebody follows', async () => {
    const bridge = await overEmulator();
    await bridge.voice.show();
    const changed = bridge.voice.changed(20 * MINUTE);
    bridge.clock.advance(6 * MINUTE);
    await expect.poll(() => sessions(bridge)).toBe(1);
    bridge.clock.advance(14 * MINUTE);
    await changed;
    bridge.clock.advance(6 * MINUTE);
    await expect.poll(() => sessions(bridge)).toBe(0);
    expect(await bridge.voice.show()).toMatchObject({ muted: false });
    expect(bridge.stored).toHaveLength(1);
  });

  it('releases push to talk after five minutes, and not before', async () => {
    const bridge = await overEmulator();
    const river = bridge.emulator.me().id;
    const speaks = () => bridge.emulator.calls.of(river)?.speaking;
    await bridge.voice.change({ channel: 'Lounge', mode: 'push-to-talk', talk: true });
    expect(speaks()).toBe(true);
    bridge.clock.advance(4.9 * MINUTE);
    expect(speaks()).toBe(true);
    bridge.clock.advance(0.2 * MINUTE);
    await expect.poll(speaks).toBe(false);
    expect(await bridge.voice.show()).toMatchObject({ talking: false });
    // A press that follows has five minutes of its own.
    await bridge.voice.change({ talk: true });
    bridge.clock.advance(3 * MINUTE);
    await bridge.voice.change({ talk: true });
    bridge.clock.advance(3 * MINUTE);
    expect(speaks()).toBe(true);
  });

  it.each([
    ['the press was answered with an error', [true]],
    ['the release was refused', [false]],
    ['every release is refused', [false, false]],
  ])('releases push to talk after five minutes also where %s', async (_what, refusals) => {
    const bridge = await overEmulator('allow', {}, [...refusals]);
    const speaks = () => bridge.emulator.calls.of(bridge.emulator.me().id)?.speaking ?? false;
    const refused = { code: 'FOOTBRIDGE_REFUSED' };
    // A bar that follows keeps the session open.
    void bridge.voice.changed(60 * MINUTE);
    await bridge.voice.change({ channel: 'Lounge', mode: 'push-to-talk' });
    const press = bridge.voice.change({ talk: true });
    if (refusals[0] === true) await expect(press).rejects.toMatchObject(refused);
    else {
      await press;
      await expect(bridge.voice.change({ talk: false })).rejects.toMatchObject(refused);
    }
    expect(speaks()).toBe(true);
    bridge.clock.advance(5 * MINUTE);
    await expect.poll(speaks).toBe(false);
  });

  it('releases push to talk with the end of the bridge', async () => {
    const bridge = await overEmulator();
    await bridge.voice.change({ channel: 'Lounge', mode: 'push-to-talk', talk: true });
    await bridge.voice.close();
    expect(bridge.emulator.calls.of(bridge.emulator.me().id)?.speaking).toBe(false);
  });

  it('applies toggles one after the other, however fast they come', async () => {
    const { voice } = await overEmulator();
    const views = await Promise.all(Array.from({ length: 5 }, () => voice.change({ mute: 'toggle' })));
    expect(views.map(({ muted }) => muted)).toEqual([true, false, true, false, true]);
  });

  it('follows changes of the client, of the channel and of others in it', async () => {
    const { voice, emulator } = await overEmulator();
    await voice.show();
    const following = async (change: () => unknown) => {
      const changed = voice.changed(MINUTE);
      change();
      await changed;
      return voice.show();
    };
    expect(await following(() => emulator.setVoice('mute', 'true'))).toMatchObject({ mutedBy: ['self'] });
    const { id: lounge } = emulator.lookup.voiceChannel('Lounge');
    const { id: otter } = emulator.lookup.user('otter');
    expect(await following(() => emulator.calls.join(emulator.me().id, lounge))).toMatchObject({
      channel: { name: 'Lounge' },
      users: [],
    });
    expect(await following(() => emulator.calls.join(otter, lounge))).toMatchObject({
      users: [{ id: otter }],
    });
    expect(await following(() => emulator.calls.leave(otter))).toMatchObject({ users: [] });
    expect(await following(() => emulator.calls.leave(emulator.me().id))).toMatchObject({ channel: null });
  });

  it('renews its token before the end, and after it, without asking again', async () => {
    const bridge = await overEmulator('ask');
    const { voice, clock, stored, emulator } = bridge;
    const first = voice.show();
    await expect.poll(() => emulator.requests.list().length).toBe(1);
    await run(bridge.server, 'requests.approve', { id: emulator.requests.list()[0]?.id });
    await first;
    const life = (stored[0]?.expiresAt ?? 0) - clock.now();
    clock.jump(life * 0.8);
    await voice.show();
    expect(stored).toHaveLength(2);
    clock.advance(life * 2);
    expect(await voice.show()).toMatchObject({ muted: false });
    expect(stored).toHaveLength(3);
    expect(emulator.requests.list()).toEqual([]);
  });

  it('says after thirty seconds that the request for consent still waits, and goes on with it', async () => {
    const { voice, clock, emulator } = await overEmulator('ask');
    const refused = expect(voice.change({ mute: true })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_CONSENT',
      message: expect.stringMatching(/still waits for your consent.*footbridge approve/),
    });
    await expect.poll(() => emulator.requests.list().length).toBe(1);
    clock.advance(31_000);
    await refused;
    expect(emulator.requests.list()).toHaveLength(1);
  });

  it('works with a strict fixture, and is the application that a fixture lists with its id', async () => {
    const application = { ...footbridgeApplication, name: 'Mine' };
    for (const [change, name] of [
      [{ strict: true }, 'Footbridge'],
      [{ strict: true, applications: [application] }, 'Mine'],
    ] as const) {
      const { voice, emulator } = await overEmulator('allow', change);
      expect(await voice.show()).toMatchObject({ muted: false });
      expect(emulator.application(footbridgeApplication.id)?.name).toBe(name);
    }
  });
});

describe('voice over a client that attaches', () => {
  const settings = {
    input: { available_devices: [], device_id: 'default', volume: 90 },
    output: { available_devices: [], device_id: 'default', volume: 100 },
    mode: { type: 'VOICE_ACTIVITY', auto_threshold: true, threshold: -60, shortcut: [], delay: 20 },
    automatic_gain_control: true,
    echo_cancellation: true,
    noise_suppression: true,
    qos: true,
    silence_warning: false,
    deaf: false,
    mute: false,
  };

  it.each<[string, readonly string[], object | undefined]>([
    ['that grants the scopes of voice', ['rpc', 'rpc.voice.read', 'rpc.voice.write'], undefined],
    ['that grants identify alone', ['identify'], { code: 'FOOTBRIDGE_VOICE_APPLICATION' }],
  ])('%s', async (_title, scopes, refusal) => {
    const core = attachCore({
      store: { load: () => [], save: () => ({ kind: 'saved' }) },
      attachPort: 0,
      bridgePort: null,
      bridgeSecrets: false,
      origins: [],
      refusedOwner: async () => undefined,
    });
    const { voice, server, clock } = await voiceAt(core);
    await expect(voice.show()).rejects.toMatchObject({ code: 'FOOTBRIDGE_VOICE_AWAY' });
    const { code, url } = (await run(server, 'attach.pair', { name: 'chat' })) as {
      code: string;
      url: string;
    };
    let current = settings;
    await testClient({
      url,
      code,
      handlers: {
        AUTHENTICATE: () => ({
          application: { id: footbridgeApplication.id, name: 'Footbridge' },
          user: person,
          scopes: [...scopes],
          expires: new Date(Date.now() + MINUTE).toISOString(),
          access_token: 'of the client',
        }),
        GET_VOICE_SETTINGS: () => current,
        GET_SELECTED_VOICE_CHANNEL: () => null,
        SET_VOICE_SETTINGS: (args: object) => {
          current = { ...current, ...args };
          return current;
        },
      } as never,
    });
    if (refusal === undefined)
      expect(await voice.change({ mute: true })).toMatchObject({ mutedBy: ['self'], input: 90 });
    else await expect(voice.change({ mute: true })).rejects.toMatchObject(refusal);
    expect(current.mute).toBe(refusal === undefined);
    // A client may undo the changes of an app that leaves.
    clock.advance(20 * MINUTE);
    expect(server.sessions()).toHaveLength(refusal === undefined ? 1 : 0);
  });
});
