import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Client,
  type ClientOptions,
  connect,
  type RequestOptions,
  type TokenSource,
} from '../../src/client/index.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { eventually } from '../helpers/eventually.ts';
import { type ScriptedServer, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';

const clientId = '207646673902501888';

/** A server that takes the tokens in `valid`, one a connection. */
async function authenticating(valid: Set<string>, options: Partial<ClientOptions> = {}) {
  /** Whether it says nothing to new connections. */
  const mood = { deaf: false };
  const server = await scriptedServer((frame, peer, connection) => {
    if (mood.deaf && connection > 0) return;
    const { cmd, nonce, args } = frame.body;
    if (frame.opcode !== Opcode.FRAME || cmd !== 'AUTHENTICATE') return wellBehaved(frame, peer, connection);
    const refuse = (code: number, message: string): void =>
      peer.payload({ cmd, nonce, evt: 'ERROR', data: { code, message } });
    if (peer.requests('AUTHENTICATE').filter((request) => valid.has(request.args.access_token)).length > 1) {
      return refuse(4002, 'Already authenticated');
    }
    if (!valid.has(args.access_token)) return refuse(4009, `Invalid access token: ${args.access_token}`);
    peer.payload({ cmd, nonce, data: { scopes: ['rpc'], access_token: args.access_token, expires: '' } });
  });
  const client = await connect({ clientId, paths: [server.path], ...options });
  onTestFinished(() => client.close());
  return { server, client, mood };
}

async function restart(client: Client, server: ScriptedServer): Promise<void> {
  const lost = new Promise((resolve) => client.on('disconnected', resolve));
  await server.stop();
  await lost;
  const ready = new Promise((resolve) => client.on('ready', resolve));
  await server.start();
  await ready;
}

function presented(server: ScriptedServer): string[] {
  return server.peer.requests('AUTHENTICATE').map(({ args }) => args.access_token);
}

describe('authenticate', () => {
  it('presents its token on each new connection, before the subscriptions made with the token', async () => {
    const { server, client } = await authenticating(new Set(['first']));
    await client.subscribe('AUTHORIZE_REQUEST', {}, () => {});
    expect((await client.authenticate('first')).scopes).toEqual(['rpc']);
    await client.subscribe('VOICE_SETTINGS_UPDATE', {}, () => {});
    await restart(client, server);
    await eventually(() =>
      expect(server.peer.requests().map(({ cmd, evt }) => evt ?? cmd)).toEqual([
        'AUTHORIZE_REQUEST',
        'AUTHENTICATE',
        'VOICE_SETTINGS_UPDATE',
      ]),
    );
    expect(presented(server)).toEqual(['first']);
  });

  it('replaces the connection for another token and reuses the connection for the same token', async () => {
    const { server, client } = await authenticating(new Set(['first', 'second']));
    await client.authenticate('first');
    await client.authenticate('first');
    expect(server.peers).toHaveLength(1);
    expect((await client.authenticate('second')).access_token).toBe('second');
    expect(server.peers).toHaveLength(2);
    expect(presented(server)).toEqual(['second']);
  });

  it('rejects when the new connection rejects the token', async () => {
    const { client } = await authenticating(new Set(['first']));
    await client.authenticate('first');
    await expect(client.authenticate('wrong')).rejects.toMatchObject({
      code: 4009,
      message: 'Invalid access token: [token]',
    });
    expect(client.state).toBe('ready');
  });

  it('rejects when the token source has another token, which the connection then uses', async () => {
    const { server, client } = await authenticating(new Set(['first']), { token: () => 'first' });
    await expect(client.authenticate('wrong')).rejects.toMatchObject({ code: 4009 });
    expect(presented(server)).toEqual(['wrong', 'first']);
    expect((await client.authenticate('first')).access_token).toBe('first');
  });

  it.each<[string, () => RequestOptions, object]>([
    ['its signal', () => ({ signal: AbortSignal.timeout(100) }), { name: 'TimeoutError' }],
    ['a signal that had aborted before', () => ({ signal: AbortSignal.abort() }), { name: 'AbortError' }],
    [
      'its time limit',
      () => ({ timeoutMs: 100 }),
      { code: 'FOOTBRIDGE_TIMEOUT', message: 'AUTHENTICATE: no answer within 100 ms' },
    ],
  ])('rejects at %s, also while the connection is replaced', async (_what, options, reason) => {
    const { client, mood } = await authenticating(new Set(['first', 'second']));
    await client.authenticate('first');
    mood.deaf = true;
    await expect(client.authenticate('second', options())).rejects.toMatchObject(reason);
  });

  it.each([undefined, null, 5])('rejects the token %j before it sends anything', async (wrong) => {
    const { server, client } = await authenticating(new Set(['first']));
    await client.authenticate('first');
    await expect(client.authenticate(wrong as never)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_INVALID_ARGUMENT',
      message: 'accessToken: must be text',
    });
    expect(server.peers).toHaveLength(1);
    await restart(client, server);
    expect(presented(server)).toEqual(['first']);
  });

  it('restores subscriptions that failed without a token', async () => {
    const { server, client } = await authenticating(new Set(['first', 'second']));
    await client.authenticate('first');
    await client.subscribe('VOICE_SETTINGS_UPDATE', {}, () => {});
    server.peer.send(Opcode.CLOSE, { code: 4003, message: 'Token revoked' });
    await new Promise((resolve) => client.on('ready', () => resolve(undefined)));
    await eventually(() => expect(server.peer.requests('SUBSCRIBE')).toHaveLength(1));
    await client.authenticate('second');
    await eventually(() =>
      expect(server.peer.requests().map(({ cmd, evt }) => evt ?? cmd)).toEqual([
        'VOICE_SETTINGS_UPDATE',
        'AUTHENTICATE',
        'VOICE_SETTINGS_UPDATE',
      ]),
    );
  });

  it('does not present a rejected token again', async () => {
    const { server, client } = await authenticating(new Set(['other']));
    await expect(client.authenticate('wrong')).rejects.toMatchObject({ code: 4009 });
    await restart(client, server);
    expect(presented(server)).toEqual([]);
  });

  it('forgets a revoked token', async () => {
    const { server, client } = await authenticating(new Set(['first']));
    await client.authenticate('first');
    const ready = new Promise((resolve) => client.on('ready', resolve));
    server.peer.send(Opcode.CLOSE, { code: 4003, message: 'Token revoked' });
    await ready;
    expect(presented(server)).toEqual([]);
  });
});

describe('the token source', () => {
  it('is called on each connection, and connect waits for its token', async () => {
    const asked: boolean[] = [];
    const token: TokenSource = async ({ rejected }) => {
      asked.push(rejected);
      return 'first';
    };
    const { server, client } = await authenticating(new Set(['first']), { token });
    expect(presented(server)).toEqual(['first']);
    await restart(client, server);
    expect(presented(server)).toEqual(['first']);
    expect(asked).toEqual([false, false]);
  });

  it('is called once more with rejected: true when its token is refused', async () => {
    const token: TokenSource = ({ rejected }) => (rejected ? 'fresh' : 'stale');
    const { server } = await authenticating(new Set(['fresh']), { token });
    expect(presented(server)).toEqual(['stale', 'fresh']);
  });

  it('is not called again when the server leaves its token unanswered', async () => {
    const asked: boolean[] = [];
    const server = await scriptedServer(({ opcode }, peer) => {
      if (opcode === Opcode.HANDSHAKE) peer.ready();
    });
    const token: TokenSource = ({ rejected }) => {
      asked.push(rejected);
      return 'first';
    };
    const client = await connect({ clientId, paths: [server.path], connectTimeoutMs: 500, token });
    onTestFinished(() => client.close());
    expect([client.state, asked]).toEqual(['ready', [false]]);
  });

  it('is called with rejected: true after a revocation', async () => {
    const asked: boolean[] = [];
    const token: TokenSource = ({ rejected }) => {
      asked.push(rejected);
      return 'first';
    };
    const { server, client } = await authenticating(new Set(['first']), { token });
    const ready = new Promise((resolve) => client.on('ready', resolve));
    server.peer.send(Opcode.CLOSE, { code: 4003, message: 'Token revoked' });
    await ready;
    expect(asked).toEqual([false, true]);
  });

  it('may return no token, and its failure leaves the client anonymous', async () => {
    const { server } = await authenticating(new Set(), { token: () => undefined });
    expect(presented(server)).toEqual([]);

    let broken = false;
    const token: TokenSource = () => {
      if (broken) throw new Error('the token store is gone');
      return 'first';
    };
    const { server: other, client } = await authenticating(new Set(['first']), { token });
    broken = true;
    const failed: string[] = [];
    client.on('restoreFailed', (what, error) => failed.push(`${what}: ${error.message}`));
    await restart(client, other);
    expect(failed).toEqual(['AUTHENTICATE: the token store is gone']);
    expect(client.state).toBe('ready');
  });

  it('causes restoreFailed, without the tokens in the message, when both tokens are refused', async () => {
    let valid = true;
    const tokens = new Set(['first']);
    const { server, client } = await authenticating(tokens, {
      token: () => (valid ? 'first' : 'wrong-secret'),
    });
    valid = false;
    const failed: string[] = [];
    client.on('restoreFailed', (what, error) => failed.push(`${what}: ${error.message}`));
    await restart(client, server);
    expect(presented(server)).toEqual(['wrong-secret', 'wrong-secret']);
    expect(failed).toEqual(['AUTHENTICATE: Invalid access token: [token]']);
  });

  it('does not block the next connection when it never settles', async () => {
    let asked = 0;
    const signals: AbortSignal[] = [];
    const token: TokenSource = ({ signal }) => {
      asked += 1;
      signals.push(signal);
      return asked === 2 ? new Promise(() => {}) : 'first';
    };
    const { server, client } = await authenticating(new Set(['first']), { token });
    await server.stop();
    await server.start();
    await eventually(() => expect(asked).toBe(2));
    server.peer.socket.destroy();
    await eventually(() => expect(client.state).toBe('ready'), { timeout: 5000 });
    expect(asked).toBe(3);
    expect(signals[1]?.aborted).toBe(true);
  });
});
