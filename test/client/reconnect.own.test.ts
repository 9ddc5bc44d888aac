import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Client, connect, createClient } from '../../src/client/index.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { clientId, connected } from '../helpers/connected-client.ts';
import { eventually } from '../helpers/eventually.ts';
import { concatBytes, frameBytes } from '../helpers/frame-bytes.ts';
import { retryDelays } from '../helpers/retry-delays.ts';
import { scriptedReady, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';
import { leaveStaleSocket, temporaryFolder } from '../helpers/sockets.ts';

/** The next time a client is ready. */
function nextReady(client: Client): Promise<void> {
  return new Promise((resolve) => {
    const stop = client.on('ready', () => {
      stop();
      resolve();
    });
  });
}

/** Stops the server, and waits until the client has noticed. */
async function stopUnder(client: Client, server: Awaited<ReturnType<typeof scriptedServer>>): Promise<void> {
  const lost = new Promise((resolve) => client.on('disconnected', resolve));
  await server.stop();
  await lost;
}

/** What a connection was asked, in short. */
function asked(server: Awaited<ReturnType<typeof scriptedServer>>): string[] {
  return server.peer.requests().map(({ cmd, evt }) => (evt ? `${cmd} ${evt}` : cmd));
}

describe('the client after a restart of the server', () => {
  it('restores presence and subscriptions, without cancelled subscriptions', async () => {
    const { server, client } = await connected();
    await client.setActivity({ details: 'By the river' });
    await client.subscribe('AUTHORIZE_REQUEST', {}, () => {});
    const stop = await client.subscribe('VOICE_SETTINGS_UPDATE', {}, () => {});
    await client.subscribe('GUILD_STATUS', { guild_id: '7' }, () => {});
    await stop();
    await stopUnder(client, server);
    expect(client.state).toBe('retrying');
    const ready = nextReady(client);
    await server.start();
    await ready;
    await eventually(() =>
      expect(asked(server)).toEqual([
        'SET_ACTIVITY',
        'SUBSCRIBE AUTHORIZE_REQUEST',
        'SUBSCRIBE GUILD_STATUS',
      ]),
    );
    const [presence, , guild] = server.peer.requests();
    expect(presence.args).toEqual({ pid: process.pid, activity: { details: 'By the river' } });
    expect(guild.args).toEqual({ guild_id: '7' });
  });

  it('restores the last activity, also one set during the outage, and no cleared activity', async () => {
    const { server, client } = await connected();
    await client.setActivity({ details: 'before' });
    await stopUnder(client, server);
    await expect(client.setActivity({ details: 'meanwhile' })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_NOT_CONNECTED',
    });
    let ready = nextReady(client);
    await server.start();
    await ready;
    await eventually(() => expect(asked(server)).toEqual(['SET_ACTIVITY']));
    expect(server.peer.requests()[0].args.activity).toEqual({ details: 'meanwhile' });

    await stopUnder(client, server);
    await client.clearActivity();
    ready = nextReady(client);
    await server.start();
    await ready;
    expect(await client.requestRaw('ECHO', {})).toEqual({});
    expect(asked(server)).toEqual(['ECHO']);
  });

  it('reports the requests that the server refuses to restore', async () => {
    const { server, client } = await connected((frame, peer, connection) => {
      if (connection === 0 || frame.opcode !== Opcode.FRAME) return wellBehaved(frame, peer, connection);
      const { cmd, nonce } = frame.body;
      peer.payload({ cmd, nonce, evt: 'ERROR', data: { code: 4006, message: 'not any more' } });
    });
    await client.setActivity({ details: 'By the river' });
    await client.subscribe('GUILD_CREATE', {}, () => {});
    const failed: [string, string][] = [];
    client.on('restoreFailed', (what, error) => failed.push([what, error.message]));
    await server.stop();
    const ready = nextReady(client);
    await server.start();
    await ready;
    await eventually(() =>
      expect(failed).toEqual([
        ['SET_ACTIVITY', 'not any more'],
        ['GUILD_CREATE', 'not any more'],
      ]),
    );
  });

  it('reports the requests that the server never answers', async () => {
    const { server, client } = await connected(
      (frame, peer, connection) => {
        if (connection === 0 || frame.opcode === Opcode.HANDSHAKE) wellBehaved(frame, peer, connection);
      },
      { requestTimeoutMs: 50 },
    );
    await client.setActivity({ details: 'By the river' });
    const failed: [string, string][] = [];
    client.on('restoreFailed', (what, error) => failed.push([what, error.message]));
    await server.stop();
    await server.start();
    await eventually(() =>
      expect(failed).toEqual([['SET_ACTIVITY', 'SET_ACTIVITY: no answer within 50 ms']]),
    );
  });

  it('restores the activity that preceded a refused activity', async () => {
    const { server, client } = await connected((frame, peer, connection) => {
      const { cmd, nonce, args } = frame.body;
      if (args?.activity?.details !== 'refused') return wellBehaved(frame, peer, connection);
      peer.payload({ cmd, nonce, evt: 'ERROR', data: { code: 4000, message: 'no' } });
    });
    await client.setActivity({ details: 'By the river' });
    await expect(client.setActivity({ details: 'refused' })).rejects.toMatchObject({ code: 4000 });
    await server.stop();
    const ready = nextReady(client);
    await server.start();
    await ready;
    await eventually(() => expect(asked(server)).toEqual(['SET_ACTIVITY']));
    expect(server.peer.requests()[0].args.activity).toEqual({ details: 'By the river' });
  });

  it('emits its states and delivers events of the new connection to existing handlers', async () => {
    const { server, client } = await connected();
    const heard: unknown[] = [];
    await client.subscribe('VOICE_CHANNEL_SELECT', {}, (data) => heard.push(data));
    const states: string[] = [];
    client.on('disconnected', () => states.push(`disconnected ${client.state}`));
    client.on('retry', ({ attempt, delayMs }) =>
      states.push(`retry ${attempt} ${attempt === 0 ? delayMs : ''}`),
    );
    client.on('ready', () => states.push(`ready ${client.state}`));
    await server.stop();
    await eventually(() => expect(states).toEqual(['disconnected retrying', 'retry 0 250']));
    const ready = nextReady(client);
    await server.start();
    await ready;
    expect(states.at(-1)).toBe('ready ready');
    server.peer.dispatch('VOICE_CHANNEL_SELECT', { channel_id: '5', guild_id: '4' });
    await eventually(() => expect(heard).toEqual([{ channel_id: '5', guild_id: '4' }]));
  });

  it('resolves a connect() call of the outage with the reconnect', async () => {
    const { server, client } = await connected();
    await stopUnder(client, server);
    const waiting = client.connect();
    await server.start();
    await waiting;
    expect(client.state).toBe('ready');
    expect(server.peers).toHaveLength(2);
  });
});

describe('the wait for a server', () => {
  it.each([
    ['it has watched all the time', () => {}],
    [
      'was removed and made anew',
      (folder: string) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
      },
    ],
  ])('stops at once when a socket appears in a folder that %s, at any back-off', async (_which, touch) => {
    const folder = join(temporaryFolder(), 'app');
    mkdirSync(folder);
    const server = await scriptedServer(wellBehaved, join(folder, 'discord-ipc-0'));
    const client = await connect({ clientId, paths: [server.path] });
    onTestFinished(() => client.close());
    const delays: number[] = [];
    client.on('retry', ({ delayMs }) => delays.push(delayMs));
    await server.stop();
    await eventually(() => expect(delays).toHaveLength(1));
    touch(folder);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    // Far into the back-off: nothing is due by the clock for more than a second.
    while ((delays.at(-1) ?? 0) < 2500) await vi.advanceTimersByTimeAsync(250);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5000);
    const ready = nextReady(client);
    await server.start();
    // The folder's cue comes from the kernel, in real time; what follows it needs no more than the settling time.
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(50);
      expect(client.state).toBe('ready');
    });
    await ready;
  });

  it('backs off from 250 ms to 5 s with jitter', async () => {
    const folder = temporaryFolder();
    const client = createClient({ clientId, paths: [join(folder, 'discord-ipc-0')], wait: true });
    const delays = retryDelays(client);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(delays.slice(0, 1)).toEqual([250]);
    for (const [i, delay] of delays.entries()) {
      const full = i === 0 ? 250 : Math.min(250 * 2 ** (i + 1), 5000);
      expect(delay).toBeGreaterThanOrEqual(i === 0 ? 250 : full / 2);
      expect(delay).toBeLessThanOrEqual(full);
    }
    expect(new Set(delays.slice(5)).size).toBeGreaterThan(1);
  });

  it('backs off from a server that hangs up after READY, until a connection has lasted', async () => {
    let hangsUp = true;
    const server = await scriptedServer((frame, peer, connection) => {
      wellBehaved(frame, peer, connection);
      if (hangsUp) peer.socket.end();
    });
    const client = createClient({ clientId, paths: [server.path] });
    onTestFinished(() => client.close());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const delays: number[] = [];
    client.on('retry', ({ delayMs }) => delays.push(delayMs));
    await client.connect();
    for (let losses = 1; losses <= 8; losses++) {
      await eventually(() => expect(delays).toHaveLength(losses));
      hangsUp = losses < 8;
      await vi.advanceTimersByTimeAsync(delays.at(-1) ?? 0);
    }
    expect(delays.slice(0, 2)).toEqual([250, 250]);
    for (const [i, delay] of delays.entries()) {
      const full = i < 2 ? 250 : Math.min(250 * 2 ** i, 5000);
      expect(delay).toBeGreaterThanOrEqual(i < 2 ? 250 : full / 2);
      expect(delay).toBeLessThanOrEqual(full);
    }
    expect(server.peers.length).toBeLessThanOrEqual(9);

    await eventually(() => expect(client.state).toBe('ready'));
    await vi.advanceTimersByTimeAsync(5000);
    server.peer.socket.end();
    await eventually(() => expect(delays).toHaveLength(9));
    expect(delays.at(-1)).toBe(250);
  });

  it('is at most one second on Windows, where folders cannot be watched', async () => {
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
    const client = createClient({ clientId, paths: [join(temporaryFolder(), 'discord-ipc-0')], wait: true });
    const delays = retryDelays(client);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(delays.length).toBeGreaterThan(60);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1000);
  });

  it('continues past a stale socket until a server listens', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'discord-ipc-0');
    const client = createClient({ clientId, paths: [path], wait: true });
    onTestFinished(() => client.close());
    const connecting = client.connect();
    await leaveStaleSocket(path);
    rmSync(path);
    await scriptedServer(wellBehaved, path);
    await connecting;
    expect(client.state).toBe('ready');
  });

  it('stops when the client closes', async () => {
    const client = createClient({ clientId, paths: [join(temporaryFolder(), 'discord-ipc-0')], wait: true });
    const connecting = client.connect();
    await new Promise((resolve) => client.on('retry', resolve));
    await client.close();
    await expect(connecting).rejects.toMatchObject({ code: 'FOOTBRIDGE_CLOSED' });
  });

  it('stops at once when the client closes, at any back-off', async () => {
    const client = createClient({ clientId, paths: [join(temporaryFolder(), 'discord-ipc-0')], wait: true });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const connecting = client.connect();
    await new Promise((resolve) => client.on('retry', resolve));
    await client.close();
    // No time has gone by.
    await expect(connecting).rejects.toMatchObject({ code: 'FOOTBRIDGE_CLOSED' });
    await eventually(() => expect(vi.getTimerCount()).toBe(0));
  });

  it('does not retry a rejected client id', async () => {
    const server = await scriptedServer((_frame, peer) => {
      peer.send(Opcode.CLOSE, { code: 4000, message: 'Invalid Client ID' });
    });
    await expect(connect({ clientId, paths: [server.path], wait: true })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_NO_SERVER',
      attempts: [{ path: server.path, reason: 'rejected', code: 4000, message: 'Invalid Client ID' }],
    });
  });
});

it('the client stays closed after a lost connection with reconnect: false', async () => {
  const { server, client } = await connected(wellBehaved, { reconnect: false });
  const events: string[] = [];
  client.on('disconnected', () => events.push('disconnected'));
  client.on('closed', () => events.push('closed'));
  await server.stop();
  await eventually(() => expect(events).toEqual(['disconnected', 'closed']));
  expect(client.state).toBe('closed');
});

it('the client can be closed by its listener for a lost connection', async () => {
  const { server, client } = await connected();
  const events: string[] = [];
  client.on('retry', () => events.push('retry'));
  client.on('disconnected', () => void client.close());
  await server.stop();
  await eventually(() => expect(client.state).toBe('closed'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual([]);
});

it('the client reconnects when the program calls reconnect()', async () => {
  const { server, client } = await connected();
  await client.setActivity({ details: 'By the river' });
  const pending = client.requestRaw('ECHO', {}).catch((error) => error.code);
  await client.reconnect();
  expect(await pending).toBe('FOOTBRIDGE_DISCONNECTED');
  expect(server.peers).toHaveLength(2);
  await eventually(() => expect(asked(server)).toEqual(['SET_ACTIVITY']));
});

it('the client reconnects once when its ready listener calls reconnect()', async () => {
  const server = await scriptedServer();
  const client = createClient({ clientId, paths: [server.path] });
  onTestFinished(() => client.close());
  const stop = client.on('ready', () => {
    stop();
    void client.reconnect();
  });
  await client.connect();
  expect(client.state).toBe('retrying');
  await Promise.all([client.connect(), client.connect()]);
  expect(client.state).toBe('ready');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.peers).toHaveLength(2);
});

it('the client stays closed when an event in the same write as READY closes it', async () => {
  const frames = [{ evt: 'READY', data: scriptedReady }, { evt: 'GUILD_CREATE' }].map((payload) =>
    frameBytes(Opcode.FRAME, JSON.stringify({ cmd: 'DISPATCH', nonce: null, ...payload })),
  );
  const server = await scriptedServer(({ opcode }, peer) => {
    if (opcode === Opcode.HANDSHAKE) peer.write(concatBytes(...frames));
  });
  const client = createClient({ clientId, paths: [server.path] });
  const events: string[] = [];
  client.on('dispatch', () => void client.close());
  client.on('ready', () => events.push('ready'));
  await expect(client.connect()).rejects.toMatchObject({ code: 'FOOTBRIDGE_CLOSED' });
  await eventually(() => expect(server.peer.socket.destroyed).toBe(true));
  expect(client.state).toBe('closed');
  expect(events).toEqual([]);
});

it.skipIf(process.platform !== 'linux')(
  'the client removes its folder watches once it is connected (Linux only: reads /proc)',
  async () => {
    const watches = (): number =>
      readdirSync('/proc/self/fdinfo')
        .map((fd) => {
          try {
            return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('inotify wd:').length - 1;
          } catch {
            return 0;
          }
        })
        .reduce((total, count) => total + count, 0);
    const { server, client } = await connected();
    const before = watches();
    const retried = new Promise((resolve) => client.on('retry', resolve));
    await server.stop();
    await retried;
    expect(watches()).toBeGreaterThan(before);
    const ready = nextReady(client);
    await server.start();
    await ready;
    await eventually(() => expect(watches()).toBe(before));
  },
);

it('the client leaves no timer after it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client } = await connected();
  await client.requestRaw('ECHO', {});
  await client.close();
  expect(vi.getTimerCount()).toBe(0);
});

it('the client survives a server that hangs up right after READY several times', async () => {
  const { server, client } = await connected((frame, peer, connection) => {
    wellBehaved(frame, peer, connection);
    if (connection > 0 && connection < 4) peer.socket.end();
  });
  server.peer.socket.destroy();
  await eventually(() => expect(server.peers.length).toBeGreaterThanOrEqual(5), { timeout: 10_000 });
  await eventually(() => expect(client.state).toBe('ready'));
});

it('the client restores presence and subscriptions after an outage of one second', async () => {
  const { server, client } = await connected();
  await client.setActivity({ details: 'By the river' });
  await client.subscribe('AUTHORIZE_REQUEST', {}, () => {});
  await server.stop();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const ready = nextReady(client);
  await server.start();
  await ready;
  await eventually(() => expect(asked(server)).toEqual(['SET_ACTIVITY', 'SUBSCRIBE AUTHORIZE_REQUEST']));
});
