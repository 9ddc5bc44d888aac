import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import {
  ApiError,
  authorize,
  createPkce,
  exchangeCode,
  refreshTokens,
  revokeToken,
} from '../../src/client/oauth2.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { collectAllTheTime } from '../helpers/collecting.ts';
import { scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';
import { closeAfterTest } from '../helpers/sockets.ts';

const clientId = '207646673902501888';

interface Asked {
  readonly path: string;
  readonly type: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

/** A token endpoint that answers as it is told, and keeps what it was asked. */
async function tokenEndpoint(status: number, answer: unknown) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      asked.push({
        path: request.url ?? '',
        type: request.headers['content-type'],
        form: Object.fromEntries(new URLSearchParams(body)),
      });
      response.statusCode = status;
      if (status === 302) response.setHeader('location', 'http://127.0.0.1:9/elsewhere');
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { asked, api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const answer = {
  token_type: 'Bearer',
  access_token: 'access-token-1',
  expires_in: 604_800,
  refresh_token: 'refresh-token-1',
  scope: 'identify rpc',
};

describe('PKCE', () => {
  it('consists of a verifier of 43 unreserved characters and its SHA-256 (RFC 7636, S256)', () => {
    const { verifier, challenge } = createPkce();
    expect(verifier).toMatch(/^[\w-]{43}$/);
    expect(challenge).toBe(createHash('sha256').update(verifier).digest('base64url'));
    expect(createPkce().verifier).not.toBe(verifier);
  });
});

describe('the token endpoint', () => {
  it('receives the code with its verifier as a form, without a secret from a public client', async () => {
    const { api, asked } = await tokenEndpoint(200, answer);
    const tokens = await exchangeCode(
      { api: `${api}/`, clientId },
      { code: 'the-code', verifier: 'the-verifier' },
    );
    expect(asked).toEqual([
      {
        path: '/api/oauth2/token',
        type: 'application/x-www-form-urlencoded',
        form: {
          client_id: clientId,
          grant_type: 'authorization_code',
          code: 'the-code',
          code_verifier: 'the-verifier',
        },
      },
    ]);
    expect(tokens).toEqual({
      accessToken: 'access-token-1',
      tokenType: 'Bearer',
      expiresIn: 604_800,
      refreshToken: 'refresh-token-1',
      scopes: ['identify', 'rpc'],
      idToken: undefined,
    });
  });

  it('receives the secret and the redirect URI when they are set', async () => {
    const { api, asked } = await tokenEndpoint(200, { ...answer, id_token: 'a.b.c' });
    const grant = { code: 'the-code', redirectUri: 'http://127.0.0.1/callback' };
    const tokens = await exchangeCode({ api, clientId, clientSecret: 'the-secret' }, grant);
    expect(tokens.idToken).toBe('a.b.c');
    expect(asked[0]?.form).toMatchObject({ client_secret: 'the-secret', redirect_uri: grant.redirectUri });
  });

  it('refreshes and revokes tokens', async () => {
    const { api, asked } = await tokenEndpoint(200, answer);
    await refreshTokens({ api, clientId }, 'refresh-token-0');
    await revokeToken({ api, clientId }, 'access-token-0');
    expect(asked.map(({ path, form }) => [path, form])).toEqual([
      [
        '/api/oauth2/token',
        { client_id: clientId, grant_type: 'refresh_token', refresh_token: 'refresh-token-0' },
      ],
      ['/api/oauth2/token/revoke', { client_id: clientId, token: 'access-token-0' }],
    ]);
  });

  it('refuses by RFC 6749 5.2 with an error that contains no secret', async () => {
    const { api } = await tokenEndpoint(400, {
      error: 'invalid_grant',
      error_description: 'Invalid "refresh_token" in request: refresh-token-0\n',
    });
    const error = await refreshTokens({ api, clientId, clientSecret: 'the-secret' }, 'refresh-token-0').catch(
      (e) => e,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, code: 'invalid_grant' });
    expect(error.message).toBe('HTTP 400 invalid_grant Invalid "refresh_token" in request: [hidden]?');
  });

  it('refuses by code and message with the same kind of error', async () => {
    const { api } = await tokenEndpoint(400, { code: 530017, message: 'The merge source is banned' });
    await expect(refreshTokens({ api, clientId }, 'x')).rejects.toMatchObject({
      code: '530017',
      message: 'HTTP 400 530017 The merge source is banned',
    });
  });

  it.each<[string, number, unknown]>([
    ['no JSON', 200, '<html>token-12345</html>'],
    ['no token', 200, {}],
    ['a list', 200, []],
    ['a token that is no text', 200, { ...answer, access_token: 5 }],
    ['an empty error', 500, ''],
    ['more than 64 KiB', 200, { ...answer, scope: 'x'.repeat(70_000) }],
  ])('that answers with %s causes an ApiError', async (_what, status, body) => {
    const { api } = await tokenEndpoint(status, body);
    const error = await exchangeCode({ api, clientId }, { code: 'the-code' }).catch((e) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).not.toContain('12345');
  });

  it('is not followed through a redirect', async () => {
    const { api, asked } = await tokenEndpoint(302, {});
    await expect(exchangeCode({ api, clientId }, { code: 'the-code' })).rejects.toThrow(
      new TypeError(`${api}/oauth2/token: unexpected redirect`),
    );
    expect(asked).toHaveLength(1);
  });

  it.each([
    'http://example.test/api',
    'ftp://127.0.0.1/',
    'not an address',
    'file:///etc/passwd',
    'http://127.0.0.1.example.test/',
    'https://river:the-secret@example.test/api',
    undefined,
  ])('may not be at %s', async (api) => {
    const refused = exchangeCode({ api: api as string, clientId }, { code: 'the-code' });
    await expect(refused).rejects.toThrow(
      'api: must be an https address, or http on this machine, without a user name',
    );
  });

  it('that stalls in the middle of a response is abandoned, also under constant garbage collection', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{');
    });
    closeAfterTest(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    collectAllTheTime();
    const late = exchangeCode({ api, clientId, timeoutMs: 200 }, { code: 'the-code' });
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
    const leaving = new AbortController();
    const left = exchangeCode({ api, clientId, signal: leaving.signal }, { code: 'the-code' });
    setTimeout(() => leaving.abort(new Error('enough')), 200);
    await expect(left).rejects.toThrow('enough');
  });

  it('is named with the reason when it cannot be reached', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api?code=the-code`;
    await new Promise((resolve) => server.close(resolve));
    const error = await exchangeCode({ api, clientId }, { code: 'the-code' }).catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`${api.replace(/\?.*/, '')}: ECONNREFUSED`);
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is named when it hangs up in the middle of its response', async () => {
    const server = createServer((_request, response) => {
      response.write('{"access');
      setTimeout(() => response.destroy(), 20);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    await expect(exchangeCode({ api, clientId }, { code: 'the-code' })).rejects.toThrow(
      new TypeError(`${api}/oauth2/token: UND_ERR_SOCKET`),
    );
  });

  it('is abandoned after the timeout and when the signal aborts', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(exchangeCode({ api, clientId, timeoutMs: 20 }, { code: 'x' })).rejects.toMatchObject({
      name: 'TimeoutError',
      message: `${api}/oauth2/token: no answer within 20 ms`,
    });
    const signal = AbortSignal.abort('enough');
    await expect(exchangeCode({ api, clientId, signal }, { code: 'x' })).rejects.toBe('enough');
  });
});

describe('authorize', () => {
  async function app(state: (given: string) => unknown, data?: unknown) {
    const { api, asked } = await tokenEndpoint(200, answer);
    const server = await scriptedServer((frame, peer, connection) => {
      const { cmd, nonce, args } = frame.body;
      if (frame.opcode !== Opcode.FRAME || cmd !== 'AUTHORIZE') return wellBehaved(frame, peer, connection);
      const granted = { code: 'the-code', state: state(args.state) };
      peer.payload({ cmd, nonce, data: data === undefined ? granted : data });
    });
    const client = await connect({ clientId, paths: [server.path] });
    onTestFinished(() => client.close());
    return { client, server, asked, api };
  }

  it('sends PKCE and state, exchanges the code and authenticates', async () => {
    const { client, server, asked, api } = await app((state) => state);
    const tokens = await authorize(client, { api, clientId, scopes: ['identify', 'rpc'], prompt: 'none' });
    expect(tokens.accessToken).toBe('access-token-1');
    const [{ args }, authenticate] = server.peer.requests();
    expect(args).toMatchObject({
      client_id: clientId,
      scopes: ['identify', 'rpc'],
      response_type: 'code',
      prompt: 'none',
      code_challenge_method: 'S256',
      pid: process.pid,
    });
    expect(args.state).toMatch(/^[\w-]{22}$/);
    const { code_verifier: verifier, code } = asked[0]?.form ?? {};
    expect(code).toBe('the-code');
    expect(
      createHash('sha256')
        .update(verifier ?? '')
        .digest('base64url'),
    ).toBe(args.code_challenge);
    expect(authenticate).toMatchObject({ cmd: 'AUTHENTICATE', args: { access_token: 'access-token-1' } });
  });

  it('rejects a response with another state', async () => {
    const { client, asked, api } = await app(() => 'another');
    const refused = authorize(client, { api, clientId, scopes: ['identify'] });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_state' });
    expect(asked).toEqual([]);
  });

  it.each([null, 'the-code', {}, { code: null }, { code: 5 }])(
    'reports that the response %j holds no code',
    async (data) => {
      const { client, asked, api } = await app(() => undefined, data);
      await expect(authorize(client, { api, clientId, scopes: ['identify'] })).rejects.toThrow(
        'The answer to AUTHORIZE holds no code',
      );
      expect(asked).toEqual([]);
    },
  );

  it('accepts a response without a state, since the socket is local', async () => {
    const { client, api } = await app(() => undefined);
    expect((await authorize(client, { api, clientId, scopes: ['identify'] })).scopes).toEqual([
      'identify',
      'rpc',
    ]);
  });
});
