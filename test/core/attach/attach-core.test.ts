import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { AttachError } from '../../../src/attach/attach.ts';
import { asAnswer, CLIENT_ID } from '../../helpers/app-peer.ts';
import { attachBridge, mapStorage, person, testClient } from '../../helpers/attach-bridge.ts';
import { later } from '../../helpers/fake-core.ts';
import { PlainWebSocket } from '../../helpers/plain-web-socket.ts';
import { closeAfterTest } from '../../helpers/sockets.ts';

const granted = (scopes: readonly string[]) => ({
  AUTHENTICATE: () => ({
    application: { id: CLIENT_ID, name: 'App' },
    scopes,
    expires: '2030-01-01T00:00:00.000Z',
  }),
});
const token = { access_token: 'the-token' };

describe('an attached client', () => {
  it('is the user, and answers requests of apps within the scopes that it granted', async () => {
    const { client, app } = await attachBridge();
    const calls: unknown[] = [];
    await client('web', {
      handlers: {
        ...granted(['rpc.voice.read']),
        GET_VOICE_SETTINGS: () => ({ mute: true }),
        GET_GUILDS: () => ({ guilds: [] }),
        AUTHORIZE(args: object, call: { session: string }) {
          calls.push({ args, ...call, session: typeof call.session, signal: 'a signal' });
          return { code: 'the-code' };
        },
      } as never,
    });
    const peer = await app();
    expect(await peer.call('AUTHORIZE', { client_id: CLIENT_ID, scopes: ['rpc'] })).toMatchObject({
      data: { code: 'the-code' },
    });
    expect(calls).toEqual([
      {
        args: { client_id: CLIENT_ID, scopes: ['rpc'] },
        cmd: 'AUTHORIZE',
        clientId: CLIENT_ID,
        session: 'string',
        transport: 'memory',
        scopes: ['rpc.local'],
        signal: 'a signal',
      },
    ]);
    expect(await peer.call('GET_VOICE_SETTINGS')).toMatchObject({ data: { code: 4006 } });
    expect(await peer.call('AUTHENTICATE', token)).toMatchObject({ evt: null, data: token });
    expect((await peer.call('GET_VOICE_SETTINGS')).evt).not.toBe('READY');
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { code: 4006 } });
  });

  it('appears in READY, which has a user also before a client is attached', async () => {
    const { client, app, server } = await attachBridge();
    const early = await app();
    expect(await early.call('AUTHENTICATE', token)).toMatchObject({
      evt: 'ERROR',
      data: { code: 1001, message: 'No chat client is attached; try again once one is' },
    });
    await client('web');
    expect(server.core.describe()).toContainEqual(['attached', 'web']);
    expect(await early.call('AUTHENTICATE', token)).toMatchObject({ data: { code: 4002 } });
  });

  it('refuses with errors of its own, and fails without details', async () => {
    const { client, app } = await attachBridge();
    const errors: unknown[] = [];
    await client('web', {
      error: (error) => errors.push(error),
      handlers: {
        ...granted(['rpc']),
        GET_GUILD() {
          throw new AttachError(4003, 'No such guild');
        },
        GET_CHANNEL() {
          throw new TypeError('SECRET');
        },
        GET_GUILDS: () => ({ guilds: 'lies' }),
      },
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', token);
    expect((await peer.call('GET_GUILD', { guild_id: '1' })).data).toEqual({
      code: 4003,
      message: 'No such guild',
    });
    const failed = await peer.call('GET_CHANNEL', { channel_id: '1' });
    expect(failed).toMatchObject({ data: { code: 1000 } });
    expect(JSON.stringify(failed)).not.toContain('SECRET');
    expect(errors).toHaveLength(1);
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { code: 1000 } });
  });

  it('emits events, current values first, and closes sessions whose token it revokes', async () => {
    const { client, app } = await attachBridge();
    const web = await client('web', {
      handlers: granted(['rpc']) as never,
      subscribe: (evt) =>
        evt === 'GUILD_STATUS' ? [{ guild: { id: '1', name: 'A', icon_url: null }, online: 0 }] : [],
    });
    const [peer, other] = [await app(), await app()];
    await peer.call('AUTHENTICATE', token);
    peer.request('SUBSCRIBE', { guild_id: '1' }, { evt: 'GUILD_STATUS' });
    expect([await peer.answer(), await peer.answer()]).toMatchObject([
      { cmd: 'SUBSCRIBE' },
      { evt: 'GUILD_STATUS', data: { guild: { name: 'A' } } },
    ]);
    const status = (name: string) => ({ guild: { id: '1', name, icon_url: null }, online: 0 });
    web.emit('GUILD_STATUS', status('other guild'), { filter: { guild_id: '2' } });
    web.emit('GUILD_STATUS', { wrong: 'shape' }, { filter: { guild_id: '1' } });
    web.emit('NO_SUCH_EVENT', {});
    web.emit('GUILD_STATUS', status('B'), { filter: { guild_id: '1' } });
    expect(await peer.answer()).toMatchObject({ data: { guild: { name: 'B' } } });
    web.revokeToken('another');
    web.revokeToken('the-token');
    expect(await peer.closed()).toEqual({ code: 4003, message: 'Token revoked' });
    expect((await other.rest()).map(asAnswer)).toEqual([]);
  });

  it('reattaches with its token, and receives the current state', async () => {
    const { client, app } = await attachBridge();
    const seen: unknown[] = [];
    const web = await client('web', {
      handlers: granted(['rpc']) as never,
      session: ({ clientId }, open) => seen.push(open ? `+${clientId}` : `-${clientId}`),
      presence: ({ activity }) => seen.push(activity?.state ?? null),
      subscribe: (evt) => {
        seen.push(evt);
        return [];
      },
    });
    const one = await app('1');
    const two = await app('2');
    await one.call('AUTHENTICATE', token);
    await one.subscribe('GUILD_CREATE');
    await one.call('SET_ACTIVITY', { pid: 1, activity: { state: 'shown' } });
    await vi.waitUntil(() => seen.includes('shown'));
    seen.length = 0;
    web.cut();
    await vi.waitUntil(() => web.states.includes('away'));
    two.end();
    await vi.waitUntil(() => web.states.length === 3);
    expect(web.states).toEqual(['attached', 'away', 'attached']);
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(expect.arrayContaining(['-2', 'GUILD_CREATE', 'shown']));
  });

  it('that leaves in the middle of a request fails that request, and another client answers the next one', async () => {
    const { client, app } = await attachBridge();
    const asked = later();
    const one = await client('one', {
      handlers: {
        ...granted(['rpc']),
        GET_GUILDS: () => {
          asked.resolve();
          return new Promise(() => {});
        },
      },
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', token);
    peer.request('GET_GUILDS');
    await asked.promise;
    one.close();
    expect(await peer.answer()).toMatchObject({ data: { code: 1001 } });
    await client('two', { handlers: { GET_GUILDS: () => ({ guilds: [] }) } });
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { guilds: [] } });
  });
});

describe('several attached clients', () => {
  it('all receive a consent request, which is withdrawn after the first answer', async () => {
    const { client, app } = await attachBridge();
    const withdrawn = later();
    await client('slow', {
      handlers: {
        AUTHORIZE: (_args: never, { signal }: { signal: AbortSignal }) =>
          new Promise(() => signal.addEventListener('abort', () => withdrawn.resolve())),
      } as never,
    });
    await client('quick', { handlers: { AUTHORIZE: () => ({ code: 'quick' }) } });
    const peer = await app();
    const asked = await peer.call('AUTHORIZE', { client_id: CLIENT_ID, scopes: ['rpc'] });
    expect(asked).toMatchObject({ data: { code: 'quick' } });
    await withdrawn.promise;
  });

  it('of another account receive presence, and answer after they are chosen', async () => {
    const { client, app, run } = await attachBridge();
    const shown: unknown[] = [];
    await client('one', { handlers: granted(['rpc']) as never });
    const two = await client('two', {
      user: { ...person, id: '43', username: 'second' },
      handlers: { GET_GUILDS: () => ({ guilds: [] }) },
      presence: ({ activity }) => shown.push(activity),
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', token);
    await peer.call('SET_ACTIVITY', { pid: 1, activity: { state: 'shown' } });
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { code: 4002 } });
    await vi.waitUntil(() => shown.length === 1);
    // What it emits is not the account's.
    two.emit('GUILD_CREATE', { id: '1', name: 'x' });
    two.revokeToken('the-token');
    await vi.waitUntil(async () => {
      const { clients } = (await run('attach.list')) as { clients: { attached: { ignored: number }[] }[] };
      return clients[1]?.attached[0]?.ignored === 2;
    });
    await expect(run('attach.choose', { account: '99' })).rejects.toThrow('No attached client');
    await run('attach.choose', { account: '43' });
    expect(await peer.closed()).toEqual({ code: 1000, message: 'User logout' });
  });
});

describe('the attach listener', () => {
  const hello = (params: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'hello',
    params: { v: 1, commands: [], user: person, ...params },
  });

  it('accepts a code once, and a token until it is removed', async () => {
    const { run, url, app } = await attachBridge();
    const { code } = (await run('attach.pair', { name: 'web' })) as { code: string };
    const first = new PlainWebSocket(url());
    await first.opened();
    first.send(hello({ code }));
    const { result } = (await first.next()) as { result: { token: string } };
    const again = new PlainWebSocket(url());
    await again.opened();
    again.send(hello({ code }));
    expect(await again.closed()).toEqual({ code: 4401, reason: 'unknown code or token' });
    const second = new PlainWebSocket(url());
    await second.opened();
    second.send(hello({ token: result.token }));
    expect(await second.next()).toMatchObject({ id: 1, result: { v: 1, sessions: [] } });
    const peer = await app();
    await run('attach.remove', { name: 'web' });
    expect((await second.closed()).code).toBe(4401);
    await expect(run('attach.remove', { name: 'web' })).rejects.toThrow('no paired client');
    const refused = await testClient({ url: url(), storage: withToken(result.token) });
    expect(refused.states).toEqual(['refused']);
    expect(await peer.rest()).toEqual([]);
  });

  function withToken(value: string) {
    const storage = mapStorage();
    storage.setItem('footbridge-token', value);
    return storage;
  }

  it.each<[string, unknown, number]>([
    ['no JSON', '{', 4400],
    ['another method', { jsonrpc: '2.0', id: 1, method: 'event', params: {} }, 4400],
    ['another version', hello({ v: 2, code: 'x' }), 4400],
    ['no code and no token', hello({}), 4401],
    ['a wrong code', hello({ code: 'x' }), 4401],
    ['a wrong token', hello({ token: 'x' }), 4401],
    ['a message of 32 MB', 'x'.repeat(32 * 1024 * 1024), 1009],
  ])('refuses a client whose first message is %s, and counts the refusal', async (_name, message, code) => {
    const { app, url, run } = await attachBridge();
    const peer = await app();
    const socket = new PlainWebSocket(url());
    await socket.opened();
    socket.send(message);
    // The peer of a message that is far too large may see its connection reset before the close frame.
    expect([code, ...(code === 1009 ? [1006] : [])]).toContain((await socket.closed()).code);
    expect(await peer.rest()).toEqual([]);
    if (code !== 1009) expect(await run('attach.list')).toMatchObject({ refused: 1 });
  });

  it.each<[string, unknown]>([
    ['no JSON', '{'],
    ['no JSON-RPC', { id: 1 }],
    ['another method', { jsonrpc: '2.0', method: 'shutdown', params: {} }],
    ['an event without data', { jsonrpc: '2.0', method: 'event', params: { data: 1 } }],
  ])('closes a client that sends %s after its hello', async (_name, message) => {
    const { run, url, app } = await attachBridge();
    const { code } = (await run('attach.pair', { name: 'web' })) as { code: string };
    const socket = new PlainWebSocket(url());
    await socket.opened();
    socket.send(hello({ code }));
    await socket.next();
    const peer = await app();
    socket.send(message);
    expect((await socket.closed()).code).toBe(4400);
    expect(await peer.rest()).toEqual([]);
  });

  it('counts and ignores responses without a request', async () => {
    const { run, url } = await attachBridge();
    const { code } = (await run('attach.pair', { name: 'web' })) as { code: string };
    const socket = new PlainWebSocket(url());
    await socket.opened();
    socket.send(hello({ code }));
    await socket.next();
    socket.send({ jsonrpc: '2.0', id: 7, result: { code: 'x' } });
    socket.send({ jsonrpc: '2.0', id: 8, error: { code: 1, message: 'x' } });
    const ignored = async () =>
      ((await run('attach.list')) as { clients: { attached: { ignored: number }[] }[] }).clients[0]
        ?.attached[0]?.ignored;
    await expect.poll(ignored).toBe(2);
  });

  it.each([
    ['https://discord.com', true],
    ['https://ptb.discord.com', true],
    ['https://canary.discord.com', true],
    ['https://more.example', true],
    [undefined, true],
    ['https://evil.example', false],
    ['https://discord.com.evil.example', false],
    ['http://discord.com', false],
    ['null', false],
  ])('treats the Origin %s as allowed: %s', async (origin, allowed) => {
    const { url } = await attachBridge({ origins: ['https://more.example'] });
    expect(await new PlainWebSocket(url(), origin).opened()).toBe(allowed);
  });

  it('refuses another user, another path and another local address', async () => {
    const { url } = await attachBridge({ refusedOwner: async () => 'for the test' });
    expect(await new PlainWebSocket(url()).opened()).toBe(false);
    const ours = await attachBridge();
    expect(await new PlainWebSocket(`${ours.url()}/more`).opened()).toBe(false);
    expect(await new PlainWebSocket(ours.url().replace('127.0.0.1', 'localhost')).opened()).toBe(true);
    expect(await new PlainWebSocket(ours.url().replace('127.0.0.1', '127.0.0.2')).opened()).toBe(false);
  });

  it('sends a refused program the reason and the remedy', async () => {
    const strange = await attachBridge({ refusedOwner: async () => 'for the test' });
    expect(await new PlainWebSocket(strange.url()).refusal()).toBe('403 the program belongs to another user');
    const { url } = await attachBridge();
    expect(await new PlainWebSocket(`${url()}/more`).refusal()).toBe(
      '403 wrong path: connect to the address that "footbridge attach" prints',
    );
    expect(await new PlainWebSocket(url(), 'https://strange.example').refusal()).toBe(
      '403 Origin not allowed: add it to attach_origins',
    );
  });

  it('reports once that its port is taken, and serves apps', async () => {
    const other = createServer();
    closeAfterTest(other);
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const { log, app, run } = await attachBridge({ attachPort: port, bridgePort: port });
    expect(log).toEqual([
      { level: 'warn', message: `the attach port ${port} cannot be used`, reason: 'EADDRINUSE' },
      { level: 'warn', message: `the bridge port ${port} cannot be used`, reason: 'EADDRINUSE' },
    ]);
    expect(await (await app()).call('SET_ACTIVITY', { pid: 1 })).toMatchObject({ data: null });
    await expect(run('attach.pair', { name: 'x' })).rejects.toThrow('the attach port is taken');
  });
});
