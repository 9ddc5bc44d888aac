import { describe, expect, it } from 'vitest';
import type { CoreHandlers } from '../../src/core/core.ts';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { RpcError } from '../../src/protocol/errors.ts';
import { identityOf } from '../../src/session/identity.ts';
import { CloseCode } from '../../src/wire/codes.ts';
import type { Connection } from '../../src/wire/connection.ts';
import { CLIENT_ID, settled } from '../helpers/app-peer.ts';
import { fakeHandlers, later } from '../helpers/fake-core.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

const args = { client_id: CLIENT_ID, scopes: ['rpc'] };
const refused = (message: string) => ({ evt: 'ERROR', data: { code: ErrorCode.INVALID_COMMAND, message } });
const authenticated = refused('This connection is already authenticated');

describe('AUTHORIZE', () => {
  it('returns the code of the core', async () => {
    const { app } = await memoryBridge({ scopes: [] });
    expect(await (await app()).call('AUTHORIZE', args)).toMatchObject({
      evt: null,
      data: { code: 'the-code' },
    });
  });
  it.each([
    ['no client_id', {}, ErrorCode.INVALID_CLIENT_ID],
    ['an empty client_id', { client_id: '' }, ErrorCode.INVALID_CLIENT_ID],
    ["another application's client_id", { client_id: '1' }, ErrorCode.INVALID_CLIENT_ID],
    ['a client_id that is a number', { client_id: 1 }, ErrorCode.INVALID_PAYLOAD],
    ['response_type token', { ...args, response_type: 'token' }, ErrorCode.INVALID_COMMAND],
    ['scopes that are a number', { ...args, scopes: 1 }, ErrorCode.INVALID_PAYLOAD],
    ['scopes with a null', { ...args, scopes: [null] }, ErrorCode.INVALID_PAYLOAD],
    ['an unknown prompt', { ...args, prompt: 'silent' }, ErrorCode.INVALID_PAYLOAD],
  ])('with %s is refused before the core is called', async (_name, wrong, code) => {
    let asked = 0;
    const { app } = await memoryBridge({
      handlers: { AUTHORIZE: () => ({ code: String(++asked) }) },
    });
    expect(await (await app()).call('AUTHORIZE', wrong)).toMatchObject({ evt: 'ERROR', data: { code } });
    expect(asked).toBe(0);
  });
  it('accepts scopes as a list or as text', async () => {
    const seen: unknown[] = [];
    const { app } = await memoryBridge({
      handlers: {
        AUTHORIZE: ({ scopes, scope }) => {
          seen.push(scopes ?? scope);
          return { code: 'c' };
        },
      },
    });
    const peer = await app();
    await peer.call('AUTHORIZE', { client_id: CLIENT_ID, scopes: ['rpc', 'identify'] });
    await peer.call('AUTHORIZE', { client_id: CLIENT_ID, scopes: ' rpc  identify ' });
    await peer.call('AUTHORIZE', { client_id: CLIENT_ID, scope: 'rpc identify' });
    expect(seen).toEqual([
      ['rpc', 'identify'],
      ['rpc', 'identify'],
      ['rpc', 'identify'],
    ]);
  });
  it('runs once at a time, and again after the first has settled', async () => {
    const decision = later<{ code: string }>();
    const { app } = await memoryBridge({ handlers: { AUTHORIZE: () => decision.promise } });
    const peer = await app();
    const first = peer.request('AUTHORIZE', args);
    expect(await peer.call('AUTHORIZE', args)).toMatchObject(
      refused('This connection is already authorizing'),
    );
    expect(await peer.call('AUTHENTICATE', { access_token: 'rpc' })).toMatchObject(
      refused('This connection is already authorizing'),
    );
    decision.resolve({ code: 'late' });
    expect(await peer.answer()).toMatchObject({ nonce: first, data: { code: 'late' } });
    expect(await peer.call('AUTHORIZE', args)).toMatchObject({ data: { code: 'late' } });
  });
  it('can be repeated after a refusal', async () => {
    const answers = [new RpcError(ErrorCode.OAUTH2_ERROR, 'access_denied'), undefined];
    const { app } = await memoryBridge({
      handlers: {
        AUTHORIZE: () => {
          const error = answers.shift();
          if (error) throw error;
          return { code: 'c' };
        },
      },
    });
    const peer = await app();
    expect(await peer.call('AUTHORIZE', args)).toMatchObject({ data: { code: ErrorCode.OAUTH2_ERROR } });
    expect(await peer.call('AUTHORIZE', args)).toMatchObject({ data: { code: 'c' } });
  });
  it('does not block other connections of the same application', async () => {
    const { app } = await memoryBridge({ handlers: { AUTHORIZE: () => new Promise(() => {}) } });
    const [one, two] = [await app(), await app()];
    one.request('AUTHORIZE', args);
    expect(await two.call('AUTHENTICATE', { access_token: 'rpc' })).toMatchObject({ evt: null });
  });
  it('is aborted when its peer leaves', async () => {
    let signal: AbortSignal | undefined;
    const { app } = await memoryBridge({
      handlers: {
        AUTHORIZE: (_args, call) => {
          signal = call.signal;
          return new Promise((_resolve, reject) => {
            call.signal.addEventListener('abort', () => reject(new Error('the peer left')));
          });
        },
      },
    });
    const peer = await app();
    peer.request('AUTHORIZE', args);
    await settled();
    expect(signal?.aborted).toBe(false);
    peer.end();
    await settled();
    expect(signal?.aborted).toBe(true);
    expect(await peer.rest()).toEqual([]);
  });
  it('is refused after AUTHENTICATE', async () => {
    const { app } = await memoryBridge();
    const peer = await app();
    await peer.call('AUTHENTICATE', { access_token: 'rpc' });
    expect(await peer.call('AUTHORIZE', args)).toMatchObject(authenticated);
  });
});

describe('AUTHENTICATE', () => {
  it('adds the scopes of the token, umbrella scopes expanded, to those of a local session', async () => {
    const { app, server } = await memoryBridge({ scopes: [] });
    const peer = await app();
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { code: ErrorCode.INVALID_PERMISSIONS } });
    expect(await peer.call('AUTHENTICATE', { access_token: 'rpc,sdk.social_layer_presence' })).toMatchObject({
      evt: null,
      data: { access_token: 'rpc,sdk.social_layer_presence' },
    });
    expect(server.sessions()[0]?.scopes).toEqual(
      expect.arrayContaining([
        'rpc.local',
        'rpc.authenticated',
        'rpc',
        'sdk.social_layer_presence',
        'rpc.voice.read',
      ]),
    );
    expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it.each([{}, { access_token: null }, { access_token: '' }])(
    'with %j returns 4009 without a call of the core',
    async (none) => {
      let asked = 0;
      const { app, server } = await memoryBridge({
        scopes: [],
        handlers: { AUTHENTICATE: () => void ++asked as never },
      });
      const peer = await app();
      expect(await peer.call('AUTHENTICATE', none)).toMatchObject({
        data: { code: ErrorCode.INVALID_TOKEN },
      });
      expect(asked).toBe(0);
      expect(server.sessions()[0]?.scopes).toEqual(['rpc.local']);
    },
  );
  it('that fails grants no scope, and can be repeated', async () => {
    const { app, server } = await memoryBridge({
      scopes: [],
      handlers: {
        AUTHENTICATE: (given, call) => {
          if (given.access_token === 'bad')
            throw new RpcError(ErrorCode.INVALID_TOKEN, 'Invalid access token');
          if (given.access_token === 'odd') return { scopes: ['rpc'] } as never;
          return fakeHandlers.AUTHENTICATE?.(given, call) as never;
        },
      },
    });
    const peer = await app();
    expect(await peer.call('AUTHENTICATE', { access_token: 'bad' })).toMatchObject({
      data: { code: ErrorCode.INVALID_TOKEN, message: 'Invalid access token' },
    });
    expect(await peer.call('AUTHENTICATE', { access_token: 'odd' })).toMatchObject({
      data: { code: ErrorCode.UNKNOWN_ERROR },
    });
    expect(server.sessions()[0]?.scopes).toEqual(['rpc.local']);
    expect(await peer.call('AUTHENTICATE', { access_token: 'rpc' })).toMatchObject({ evt: null });
    expect(await peer.call('AUTHENTICATE', { access_token: 'rpc' })).toMatchObject(authenticated);
  });
  it('has the time limit of a user when the core waits for consent, and that of a core otherwise', async () => {
    const handlers: CoreHandlers = {
      AUTHENTICATE: async (given, call) => {
        if (given.access_token === 'rpc') call.waitsForConsent();
        // However long that takes: it is longer than the core alone may take.
        await new Promise((resolve) => setTimeout(resolve, 60));
        return fakeHandlers.AUTHENTICATE?.(given, call) as never;
      },
    };
    const { app } = await memoryBridge({ handlers, limits: { answerMs: 20 } });
    const [asking, silent] = [await app(), await app()];
    expect(await asking.call('AUTHENTICATE', { access_token: 'rpc' })).toMatchObject({ evt: null });
    expect(await silent.call('AUTHENTICATE', { access_token: 'identify' })).toMatchObject({
      data: { code: ErrorCode.SERVICE_UNAVAILABLE },
    });
  });
  it('runs once at a time', async () => {
    const { app } = await memoryBridge({ handlers: { AUTHENTICATE: () => new Promise(() => {}) } });
    const peer = await app();
    peer.request('AUTHENTICATE', { access_token: 'rpc' });
    const running = refused('This connection is already authenticating');
    expect(await peer.call('AUTHENTICATE', { access_token: 'rpc' })).toMatchObject(running);
    expect(await peer.call('AUTHORIZE', args)).toMatchObject(running);
  });
  it('never writes a token to the log', async () => {
    const { app, log } = await memoryBridge({
      handlers: { AUTHENTICATE: () => ({ scopes: 'wrong' }) as never },
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', { access_token: 'CANARY-7f3a' });
    await peer.call('AUTHENTICATE', { access_token: ['CANARY-7f3a'] });
    await peer.call('AUTHORIZE', {
      ...args,
      prompt: 'CANARY-7f3a',
      code_challenge: { verifier: 'CANARY-7f3a' },
    });
    expect(log.some(({ cmd }) => cmd === 'AUTHENTICATE')).toBe(true);
    expect(JSON.stringify(log)).not.toContain('CANARY');
  });
});

describe('closeSessions by token', () => {
  it('closes the sessions that used the token, and no others', async () => {
    const { app, core } = await memoryBridge();
    const [one, two, other, anonymous] = [await app(), await app('2'), await app(), await app()];
    await one.call('AUTHENTICATE', { access_token: 'rpc' });
    await two.call('AUTHENTICATE', { access_token: 'rpc' });
    await other.call('AUTHENTICATE', { access_token: 'identify' });
    expect(core.host.closeSessions({ token: 'rpc' }, CloseCode.TOKEN_REVOKED, 'Token revoked')).toBe(2);
    for (const peer of [one, two]) {
      expect(await peer.closed()).toEqual({ code: CloseCode.TOKEN_REVOKED, message: 'Token revoked' });
    }
    for (const peer of [other, anonymous]) expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: null });
    expect(core.host.closeSessions({ token: 'rpc' }, CloseCode.TOKEN_REVOKED, 'Token revoked')).toBe(0);
  });
  it('requires every property of its filter to match', async () => {
    const { app, core } = await memoryBridge();
    const peer = await app('2');
    await peer.call('AUTHENTICATE', { access_token: 'rpc' });
    const sessionId = core.peers[0]?.sessionId ?? '';
    for (const to of [
      { token: 'rpc', clientId: '3' },
      { token: 'other', clientId: '2' },
      { token: 'rpc', sessionId: 'other' },
    ]) {
      expect(core.host.closeSessions(to, CloseCode.NORMAL, 'x')).toBe(0);
    }
    expect(core.host.closeSessions({ token: 'rpc', clientId: '2', sessionId }, CloseCode.NORMAL, 'bye')).toBe(
      1,
    );
    expect(await peer.closed()).toEqual({ code: 1000, message: 'bye' });
  });
});

describe('the initial scopes of a connection', () => {
  it.each<[string, Partial<Connection>, string[]]>([
    ['a socket of this user', { kind: 'ipc' }, ['rpc.local']],
    ['a process inside', { kind: 'memory' }, ['rpc.local']],
    ['a socket that sends an Origin', { kind: 'ipc', origin: 'https://a.example' }, []],
    ['a WebSocket', { kind: 'websocket' }, []],
    ['a page', { kind: 'websocket', origin: 'https://a.example' }, []],
    ['HTTP', { kind: 'http' }, []],
    ['an app in the frame of an activity', { kind: 'postmessage' }, ['rpc.embedded_app']],
    [
      "the chat client's own site",
      { kind: 'websocket', origin: 'https://discord.com' },
      ['rpc.private', 'rpc.private.limited'],
    ],
  ])('of %s are those that need no authentication', (_, connection, scopes) => {
    expect([...identityOf(connection as Connection).scopes].sort()).toEqual(scopes);
  });
});
