import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import type { Entrance, PeerSandbox } from '../../src/server/entrance.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import { AppPeer, CLIENT_ID, settled } from '../helpers/app-peer.ts';
import { type MemoryBridge, memoryBridge } from '../helpers/memory-bridge.ts';

const known = (sandbox: string | null): PeerSandbox => ({ kind: 'known', sandbox });

async function enter(bridge: MemoryBridge, entrance: Partial<Entrance> = {}) {
  const transport = memoryTransport();
  let pid = 7;
  const opened = await bridge.server.open(
    {
      ...transport,
      listen: (onConnection) =>
        transport.listen((connection) => onConnection({ ...connection, peer: { pid, uid: 1000 } })),
    },
    {
      name: 'box',
      rights: 'presence',
      remedy: () => 'say so',
      sandboxOf: () => known('Flatpak org.a'),
      ...entrance,
    },
  );
  const connect = (by = 7) => {
    pid = by;
    return new AppPeer(transport.connect());
  };
  return {
    opened,
    connect,
    app: async () => {
      const app = connect();
      await app.handshake();
      return app;
    },
  };
}

describe('an endpoint with rights of its own', () => {
  it('refuses a command beyond its rights before the core is called', async () => {
    const calls: string[] = [];
    const bridge = await memoryBridge({
      handlers: {
        SET_ACTIVITY() {
          calls.push('SET_ACTIVITY');
          return null;
        },
        AUTHORIZE() {
          calls.push('AUTHORIZE');
          return { code: 'x' };
        },
        GET_IMAGE() {
          calls.push('GET_IMAGE');
          return { data_url: '' };
        },
      },
    });
    const app = await (await enter(bridge)).app();
    for (const [cmd, args] of [
      ['AUTHORIZE', { client_id: CLIENT_ID, scopes: ['rpc'] }],
      ['GET_IMAGE', { type: 'user', id: '1', format: 'png', size: 16 }],
      ['NO_SUCH', {}],
    ] as const) {
      const { code, message } = (await app.call(cmd, args)).data;
      expect(code).toBe(ErrorCode.INVALID_PERMISSIONS);
      expect(message).toContain('endpoint "box"');
      expect(message).toMatch(/: say so$/);
    }
    expect(await app.subscribe('CURRENT_USER_UPDATE', {})).toMatchObject({ evt: 'ERROR' });
    expect(await app.call('SET_ACTIVITY', { pid: 1, activity: null })).toMatchObject({ evt: null });
    expect(calls).toEqual(['SET_ACTIVITY']);
  });

  it('refuses them also where another server decides about requests', async () => {
    const relayed: string[] = [];
    const bridge = await memoryBridge({
      relay: ({ cmd }) => {
        relayed.push(cmd);
        return Promise.resolve(null);
      },
    });
    const app = await (await enter(bridge)).app();
    expect(await app.call('AUTHORIZE', {})).toMatchObject({ evt: 'ERROR', data: { code: 4006 } });
    expect(await app.call('SET_ACTIVITY', {})).toMatchObject({ evt: null });
    expect(relayed).toEqual(['SET_ACTIVITY']);
  });

  it('gives a session only the scopes that its rights contain', async () => {
    const bridge = await memoryBridge();
    const app = await (await enter(bridge, { rights: ['rpc.voice.read'] })).app();
    const token = 'identify,rpc,rpc.voice.read';
    expect(await app.call('AUTHENTICATE', { access_token: token })).toMatchObject({
      evt: null,
      data: { scopes: ['identify', 'rpc.voice.read'] },
    });
    const [session] = bridge.server.sessions();
    expect([...(session?.scopes ?? [])].sort()).toEqual([
      'identify',
      'rpc.authenticated',
      'rpc.local',
      'rpc.voice.read',
    ]);
    expect(await app.call('GET_GUILDS', {})).toMatchObject({ evt: 'ERROR', data: { code: 4006 } });
  });

  it('answers AUTHENTICATE with its own scopes also where another server decides, and elsewhere with those of the token', async () => {
    const scopes = ['rpc', 'sdk.social_layer_presence'];
    const bridge = await memoryBridge({ relay: async () => ({ expires: 'x', scopes }) });
    const args = { access_token: 'x' };
    const app = await (await enter(bridge, { rights: ['identify'] })).app();
    const data = { expires: 'x', scopes: ['identify'] };
    expect(await app.call('AUTHENTICATE', args)).toMatchObject({ data });
    expect(await (await bridge.app()).call('AUTHENTICATE', args)).toMatchObject({ data: { scopes } });
  });

  it('names itself and the sandbox to the core and in the list of sessions', async () => {
    const bridge = await memoryBridge();
    await bridge.app();
    await (await enter(bridge)).app();
    expect(bridge.core.peers.map(({ entrance }) => entrance)).toEqual([
      undefined,
      { name: 'box', sandbox: 'Flatpak org.a' },
    ]);
    expect(bridge.server.sessions()).toMatchObject([
      { endpoint: null, sandbox: null },
      { endpoint: 'box', sandbox: 'Flatpak org.a' },
    ]);
  });

  it('has limits of its own', async () => {
    const bridge = await memoryBridge();
    const { connect, app } = await enter(bridge, {
      rights: 'full',
      limits: { connections: 2, subscriptions: 1 },
    });
    const first = await app();
    await app();
    expect(await connect().next()).toMatchObject({
      opcode: Opcode.CLOSE,
      body: { code: CloseCode.ABNORMAL },
    });
    await bridge.app();
    expect(await first.subscribe('ACTIVITY_JOIN', {})).toMatchObject({ evt: null });
    expect(await first.subscribe('ACTIVITY_SPECTATE', {})).toMatchObject({ evt: 'ERROR' });
    first.end();
    await settled();
    await app();
  });

  it('sends CLOSE to its own sessions when it is closed', async () => {
    const bridge = await memoryBridge();
    const other = await bridge.app();
    const { opened, app } = await enter(bridge);
    const inside = await app();
    await opened.close();
    expect(await inside.next()).toMatchObject({ opcode: Opcode.CLOSE, body: { code: CloseCode.NORMAL } });
    expect(await other.call('GET_GUILDS', {})).toMatchObject({ evt: null });
    expect(bridge.server.sessions()).toHaveLength(1);
  });
});

describe('a sandbox that is still to be read', () => {
  /** An endpoint whose sandboxes are read, which takes `ms` for each process. */
  async function reading(bridge: MemoryBridge, ms = 0, limits: Entrance['limits'] = {}) {
    const remembered = new Map<number, string>();
    const read: number[] = [];
    const entered = await enter(bridge, {
      rights: 'full',
      limits,
      sandboxOf(pid) {
        const sandbox = remembered.get(pid);
        if (sandbox !== undefined) return known(sandbox);
        return {
          kind: 'unread',
          read() {
            read.push(pid);
            const end = performance.now() + ms;
            while (performance.now() < end);
            remembered.set(pid, 'Flatpak org.a');
            return 'Flatpak org.a';
          },
        };
      },
    });
    return { ...entered, read };
  }

  it('is named to the core, and read once for a process', async () => {
    const bridge = await memoryBridge();
    const { app, read } = await reading(bridge);
    await app();
    await app();
    expect(read).toEqual([7]);
    expect(bridge.core.peers.map(({ entrance }) => entrance?.sandbox)).toEqual([
      'Flatpak org.a',
      'Flatpak org.a',
    ]);
    expect(bridge.server.counters()).toMatchObject({ accepted: 2, sessions: 2, refused: 0 });
  });

  it('is read in turns: an app at another endpoint is served while many processes arrive at once', async () => {
    const bridge = await memoryBridge();
    const { connect, read } = await reading(bridge, 2);
    // Each is a process of its own, and all of them share the time of one.
    for (let pid = 100; pid < 164; pid++) connect(pid);
    expect(read.length).toBeLessThan(64);
    const before = read.length;
    await bridge.app(CLIENT_ID, 7);
    expect(read.length).toBeLessThan(before + 16);
    await expect.poll(() => read.length).toBe(64);
    await expect.poll(() => bridge.server.counters()['sessions']).toBe(65);
  });

  it('does not give a process more slots than the endpoint has, and frees the one that it held meanwhile', async () => {
    const bridge = await memoryBridge();
    const { connect, opened } = await reading(bridge, 0, { connections: 2 });
    for (let pid = 1; pid <= 2; pid++) await connect(pid).handshake();
    expect(await connect(3).next()).toMatchObject({
      opcode: Opcode.CLOSE,
      body: { code: CloseCode.ABNORMAL },
    });
    expect(bridge.server.sessions()).toHaveLength(2);
    await opened.close();
    expect(bridge.server.sessions()).toHaveLength(0);
  });
});
