import { createHash } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator } from '../../../../src/emulator/compose/create-emulator.ts';
import type { Emulator } from '../../../../src/emulator/compose/emulator.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import type { TokenEndpoint } from '../../../../src/emulator/serve/http/server.ts';
import type { OwnerCheck } from '../../../../src/loopback/owner.ts';
import { asNobody } from '../../../helpers/other-user.ts';
import { exchange } from '../../../helpers/web-bridge.ts';

const open = '300000000000000001';
const secretive = '300000000000000003';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

let emulator: Emulator;
let endpoint: TokenEndpoint;
const lines: string[] = [];

beforeEach(async () => {
  const fixture = defaultFixture();
  const [first] = fixture.applications;
  if (first === undefined) throw new Error('no application');
  lines.length = 0;
  emulator = await createEmulator({
    fixture: {
      ...fixture,
      applications: [...fixture.applications, { ...first, id: secretive, secret: 'p@ss word+:%' }],
    },
    consent: { policy: 'allow' },
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
  });
  endpoint = await emulator.listen({ port: 0 });
});

afterEach(() => emulator.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** A raw request: unlike fetch it sends exactly these headers. */
function call(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer; agent?: Agent } = {},
): Promise<Answer> {
  const { method = 'POST', headers = {}, body, agent = false } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: endpoint.port, path, method, headers, agent },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), headers: response.headers }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  return call(path, { headers: { ...formType, ...headers }, body: new URLSearchParams(form).toString() });
}

async function code(
  clientId = open,
  more: { scopes?: string[]; codeChallenge?: string; nonce?: string; redirectUri?: string } = {},
) {
  const result = await emulator.oauth2.authorize({
    clientId,
    scopes: ['identify', 'rpc'],
    peer: { transport: 'ipc' },
    signal: new AbortController().signal,
    ...more,
  });
  return result.code;
}

const exchangeForm = (value: string, clientId = open) => ({
  grant_type: 'authorization_code',
  code: value,
  client_id: clientId,
  client_secret: 'any',
});

async function tokens(scopes = ['identify', 'rpc'], clientId = open) {
  const answer = await post('/api/oauth2/token', exchangeForm(await code(clientId, { scopes }), clientId));
  return answer.body as { access_token: string; refresh_token: string; id_token?: string };
}

describe('the peer process of a connection', () => {
  const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
  const text = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${endpoint.port}\r\n\r\n`;

  it.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
    'is refused when it belongs to another user of the machine (requires root on Linux)',
    async () => {
      for (const path of ['/api/oauth2/keys', '/overlay/token', '/']) {
        expect(await asNobody(endpoint.port, text(path))).toBe(NOT_FOUND);
      }
      expect(lines).toEqual(
        Array(3).fill('the token endpoint refused a connection: the peer belongs to uid 65534'),
      );
      expect((await call('/api/oauth2/keys', { method: 'GET' })).status).toBe(200);
    },
  );
  it('is checked once per connection, and refused when the check fails', async () => {
    let looks = 0;
    const emulated = async (refusedOwner: OwnerCheck) => {
      await endpoint.close();
      endpoint = await emulator.listen({ port: 0, refusedOwner });
    };
    await emulated(async () => {
      looks += 1;
      return undefined;
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++)
      expect((await call('/api/oauth2/keys', { method: 'GET', agent })).status).toBe(200);
    agent.destroy();
    expect(looks).toBe(1);
    await emulated(() => Promise.reject(new Error('no table')));
    expect(await exchange(endpoint.port, text('/api/oauth2/keys'))).toBe(NOT_FOUND);
  });
});

describe('POST /overlay/token', () => {
  const overlay = '207646673902501888';
  const json = (body: unknown, type = 'application/json') =>
    call('/overlay/token', {
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('returns only an access token to the stream-kit overlay for its code, once', async () => {
    const value = await code(overlay);
    const answer = await json({ code: value }, 'text/plain;charset=UTF-8');
    expect(answer).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    expect(Object.keys(answer.body as object)).toEqual(['access_token']);
    const { access_token } = answer.body as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const me = await call('/api/oauth2/@me', { method: 'GET', headers });
    expect(me.body).toMatchObject({ application: { id: overlay }, scopes: ['identify', 'rpc'] });
    expect(await json({ code: value })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(emulator.oauth2.introspect(access_token).state).toBe('invalid');
  });

  it('refuses a code of another application, and a code that is bound to a verifier', async () => {
    expect(await json({ code: await code() })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await json({ code: await code(overlay, { codeChallenge: challenge }) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('refuses a code that was issued for a redirect URI', async () => {
    const value = await code(overlay, { redirectUri: 'http://127.0.0.1:5000/callback' });
    expect(await json({ code: value })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it.each([
    ['no code', {}, 'application/json'],
    ['a code that is no text', { code: 7 }, 'application/json'],
    ['a list', [], 'application/json'],
    ['null', null, 'application/json'],
    ['no JSON', '{', 'application/json'],
    ['a form', 'code=1', 'application/x-www-form-urlencoded'],
  ])('returns 400 for %s', async (_, body, type) => {
    expect(await json(body, type)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('has the same limits as the other routes', async () => {
    expect((await json({ code: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await call('/overlay/token', { method: 'GET' })).status).toBe(405);
    const origin = 'https://streamkit.discord.com';
    const page = { headers: { 'content-type': 'application/json', origin }, body: '{}' };
    expect((await call('/overlay/token', page)).status).toBe(403);
    expect((await call('/api/overlay/token', { body: '{}' })).status).toBe(404);
  });
});

describe('POST /oauth2/token', () => {
  it.each([
    '/api/oauth2/token',
    '/api/v10/oauth2/token',
    '/api/v9/oauth2/token',
    '/api/v8/oauth2/token',
    '/api/v6/oauth2/token?x=1',
  ])('at %s exchanges a code [N-7]', async (path) => {
    const answer = await post(path, exchangeForm(await code()));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 604_800, scope: 'identify rpc' });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    ['Bearer null', { redirect_uri: 'undefined' }],
    ['Bot this-is-a-dummy', {}],
  ])('ignores the header "%s", which libraries send', async (authorization, more) => {
    const answer = await post(
      '/api/oauth2/token',
      { ...exchangeForm(await code()), ...more },
      { authorization },
    );
    expect(answer.status).toBe(200);
  });

  it('reads a multipart body', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(exchangeForm(await code()))) form.set(name, value);
    const request = new Request('http://127.0.0.1', { method: 'POST', body: form });
    const answer = await call('/api/oauth2/token', {
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      body: Buffer.from(await request.arrayBuffer()),
    });
    expect(answer.status).toBe(200);
  });

  it('serves fetch of Node by either name of the loopback address', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const response = await fetch(`http://${host}:${endpoint.port}/api/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams(exchangeForm(await code())),
      });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  });

  it('accepts a public client with its verifier [K-2, U-1]', async () => {
    const { client_secret: _, ...form } = exchangeForm(await code(open, { codeChallenge: challenge }));
    expect((await post('/api/oauth2/token', { ...form, code_verifier: verifier })).status).toBe(200);
  });

  it.each<[string, string, boolean]>([
    ['not encoded at all', Buffer.from(`${secretive}:p@ss word+:%`).toString('base64'), true],
    [
      'form-encoded',
      Buffer.from(`${secretive}:${encodeURIComponent('p@ss word+:%')}`).toString('base64'),
      true,
    ],
    ['wrong', Buffer.from(`${secretive}:nope`).toString('base64'), false],
    ['without colon', Buffer.from(secretive).toString('base64'), false],
  ])('checks HTTP Basic credentials that are %s', async (_, credentials, works) => {
    const form = { grant_type: 'authorization_code', code: await code(secretive) };
    const answer = await post('/api/oauth2/token', form, { authorization: `Basic ${credentials}` });
    expect(answer.status).toBe(works ? 200 : 401);
    if (!works) {
      expect(answer.body).toEqual({ error: 'invalid_client' });
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
    }
  });

  it('refuses HTTP Basic beside another client id in the form', async () => {
    const authorization = `Basic ${Buffer.from(`${open}:x`).toString('base64')}`;
    const form = exchangeForm(await code());
    const other = await post('/api/oauth2/token', { ...form, client_id: secretive }, { authorization });
    expect(other).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect((await post('/api/oauth2/token', form, { authorization })).status).toBe(200);
  });

  it.each<[string, (value: string) => Record<string, string>, number, Record<string, string>]>([
    [
      'no grant type',
      () => ({ client_id: open }),
      400,
      { error: 'invalid_request', error_description: 'Missing "grant_type" in request.' },
    ],
    [
      'another grant type',
      () => ({ grant_type: 'password', client_id: open }),
      400,
      { error: 'unsupported_grant_type' },
    ],
    [
      'client credentials',
      () => ({ grant_type: 'client_credentials', client_id: open }),
      400,
      { error: 'unauthorized_client' },
    ],
    [
      'no client',
      (value) => ({ grant_type: 'authorization_code', code: value }),
      401,
      { error: 'invalid_client' },
    ],
    ['an unknown client', (value) => exchangeForm(value, 'abc'), 401, { error: 'invalid_client' }],
    ['a wrong secret', (value) => exchangeForm(value, secretive), 401, { error: 'invalid_client' }],
    [
      'no code',
      () => exchangeForm(''),
      400,
      { error: 'invalid_request', error_description: 'Missing "code" in request.' },
    ],
    [
      'a bad code',
      () => exchangeForm('nope'),
      400,
      { error: 'invalid_grant', error_description: 'Invalid "code" in request.' },
    ],
    [
      'a wrong redirect',
      (value) => ({ ...exchangeForm(value), redirect_uri: 'http://x' }),
      400,
      { error: 'invalid_request', error_description: 'Invalid "redirect_uri" in request.' },
    ],
    [
      'a verifier without challenge',
      (value) => ({ ...exchangeForm(value), code_verifier: verifier }),
      400,
      { error: 'invalid_request', error_description: 'Invalid "code_verifier"' },
    ],
    [
      'a bad refresh token',
      () => ({ grant_type: 'refresh_token', client_id: open, refresh_token: 'nope' }),
      400,
      { error: 'invalid_grant', error_description: 'Invalid "refresh_token" in request' },
    ],
    [
      'no refresh token',
      () => ({ grant_type: 'refresh_token', client_id: open }),
      400,
      { error: 'invalid_request', error_description: 'Missing "refresh_token" in request.' },
    ],
  ])('refuses %s [R-5, R-7]', async (_, form, status, body) => {
    const answer = await post('/api/oauth2/token', form(await code()));
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(body);
  });

  it('refreshes, once per refresh token', async () => {
    const { refresh_token } = await tokens();
    const form = { grant_type: 'refresh_token', client_id: open, refresh_token };
    expect((await post('/api/v10/oauth2/token', form)).status).toBe(200);
    expect((await post('/api/v10/oauth2/token', form)).body).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid "refresh_token" in request',
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['JSON', { 'content-type': 'application/json' }, '{"grant_type":"authorization_code"}'],
    ['no content type', {}, 'grant_type=authorization_code'],
    ['a broken multipart body', { 'content-type': 'multipart/form-data; boundary=X' }, '--X\r\n'],
    ['multipart without boundary', { 'content-type': 'multipart/form-data' }, '--X--'],
    ['a repeated parameter', formType, 'grant_type=authorization_code&grant_type=refresh_token'],
    ['an object as a form', formType, '{}'],
    ['nothing', formType, ''],
    ['only separators', formType, '&&&==&'],
    ['broken percent signs', formType, 'grant_type=%zz%'],
    ['a __proto__ parameter', formType, '__proto__=x&constructor=y'],
  ])('refuses %s in the format of RFC 6749', async (_, headers, body) => {
    const answer = await call('/api/oauth2/token', { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: expect.stringMatching(/^(invalid_request|unsupported_grant_type)$/),
      error_description: expect.any(String),
    });
  });

  it('accepts 64 KiB and refuses one byte more, with and without Content-Length', async () => {
    const form = (length: number) => {
      const start = 'grant_type=authorization_code&padding=';
      return start + 'x'.repeat(length - start.length);
    };
    expect((await call('/api/oauth2/token', { headers: formType, body: form(65_536) })).status).toBe(401);
    expect((await call('/api/oauth2/token', { headers: formType, body: form(65_537) })).status).toBe(413);
    const chunked = await call('/api/oauth2/token', {
      headers: { ...formType, 'transfer-encoding': 'chunked' },
      body: form(65_537),
    });
    expect(chunked.status).toBe(413);
    expect((await post('/api/oauth2/token', exchangeForm(await code()))).status).toBe(200);
  });

  it('signs an id_token with the nonce for the scope openid [A-4]', async () => {
    const value = await code(open, { scopes: ['openid', 'identify'], nonce: 'n-1' });
    const answer = await post('/api/oauth2/token', exchangeForm(value));
    const { id_token, access_token } = answer.body as { id_token: string; access_token: string };
    const issuer = endpoint.url.replace(/\/api$/, '');
    const { body } = await call('/.well-known/openid-configuration', { method: 'GET' });
    const { issuer: named, jwks_uri } = body as { issuer: string; jwks_uri: string };
    expect(named).toBe(issuer);
    const keys = createRemoteJWKSet(new URL(jwks_uri));
    const { payload, protectedHeader } = await jwtVerify(id_token, keys, {
      issuer,
      audience: open,
    });
    expect(protectedHeader.alg).toBe('RS256');
    // OpenID Connect Core section 3.1.3.6.
    const at_hash = createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url');
    expect(payload).toMatchObject({ sub: emulator.me().id, nonce: 'n-1', at_hash });
    expect((await tokens()).id_token).toBeUndefined();
  });
});

describe('POST /oauth2/token/revoke', () => {
  it('returns {} for a valid, a revoked and an unknown token [U-3]', async () => {
    const { access_token, refresh_token } = await tokens();
    for (const token of [access_token, refresh_token, 'nope']) {
      const answer = await post('/api/oauth2/token/revoke', { token, client_id: open, token_type_hint: 'x' });
      expect(answer).toMatchObject({ status: 200, body: {} });
    }
    expect(emulator.oauth2.introspect(access_token).state).toBe('invalid');
  });

  it.each<[Record<string, string>, number, string]>([
    [{ token: 'x' }, 401, 'invalid_client'],
    [{ token: 'x', client_id: secretive, client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: open }, 400, 'invalid_request'],
  ])('refuses %j', async (form, status, error) => {
    const answer = await post('/api/v10/oauth2/token/revoke', form);
    expect(answer).toMatchObject({ status, body: { error } });
  });
});

describe('a bearer token', () => {
  const get = (path: string, token?: string) =>
    call(path, { method: 'GET', headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

  it('reads /oauth2/@me, which includes the user only with identify', async () => {
    const { access_token } = await tokens();
    const answer = await get('/api/v10/oauth2/@me', access_token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      application: { id: open, name: 'Harbour Example', icon: null },
      scopes: ['identify', 'rpc'],
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      user: { id: emulator.me().id, username: 'river', public_flags: 0 },
    });
    expect(answer.body).not.toHaveProperty('user.email');
    expect((await get('/api/oauth2/@me', (await tokens(['rpc'])).access_token)).body).not.toHaveProperty(
      'user',
    );
  });

  it('needs identify to read /users/@me', async () => {
    const { access_token } = await tokens(['identify', 'email']);
    expect(await get('/api/users/%40me', access_token)).toMatchObject({
      status: 200,
      body: { username: 'river', global_name: 'River', email: 'river@example.test', verified: true },
    });
    expect(await get('/api/users/@me', (await tokens(['rpc'])).access_token)).toMatchObject({
      status: 403,
      body: { code: 50026 },
    });
  });

  it('needs openid to read /oauth2/userinfo', async () => {
    expect(await get('/api/oauth2/userinfo', (await tokens(['openid'])).access_token)).toMatchObject({
      status: 200,
      body: { sub: emulator.me().id },
    });
    const full = await get(
      '/api/oauth2/userinfo',
      (await tokens(['openid', 'identify', 'email'])).access_token,
    );
    expect(full.body).toEqual({
      sub: emulator.me().id,
      preferred_username: 'river',
      nickname: 'River',
      locale: 'en-US',
      email: 'river@example.test',
      email_verified: true,
    });
    expect((await get('/api/oauth2/userinfo', (await tokens()).access_token)).status).toBe(403);
  });

  it.each(['/api/oauth2/@me', '/api/users/@me', '/api/oauth2/userinfo'])(
    'is required for %s, which returns 401 otherwise',
    async (path) => {
      const unauthorized = { status: 401, body: { message: '401: Unauthorized', code: 0 } };
      expect(await get(path)).toMatchObject(unauthorized);
      expect(await get(path, 'nope')).toMatchObject(unauthorized);
      expect(await get(path, 'x'.repeat(4096))).toMatchObject(unauthorized);
      expect(await call(path, { method: 'GET', headers: { authorization: 'Basic eDp5' } })).toMatchObject(
        unauthorized,
      );
    },
  );
});

describe('any other request', () => {
  it.each([
    '/',
    '/api',
    '/api/',
    '/api/v10',
    '/api/oauth2/token/',
    '/oauth2/token',
    '/api/oauth2/../oauth2/token',
    '/api//oauth2/token',
    '/api/constructor',
    '/api/__proto__',
  ])('to %s is not found', async (path) => {
    expect(await post(path, {})).toMatchObject({ status: 404, body: { message: '404: Not Found', code: 0 } });
  });

  it.each(['/api/v11/oauth2/token', '/api/v5/oauth2/token', '/api/v0/nothing'])(
    'to %s is refused for its API version [N-7]',
    async (path) => {
      expect(await post(path, {})).toMatchObject({
        status: 400,
        body: { message: 'Invalid API version provided', code: 50041 },
      });
    },
  );

  it.each([
    ['GET', '/api/oauth2/token', 'POST'],
    ['PUT', '/api/v10/oauth2/token', 'POST'],
    ['OPTIONS', '/api/oauth2/token', 'POST'],
    ['DELETE', '/api/oauth2/token/revoke', 'POST'],
    ['POST', '/api/oauth2/@me', 'GET'],
    ['POST', '/api/oauth2/keys', 'GET'],
  ])('with %s to %s is not allowed [E-8]', async (method, path, allow) => {
    const answer = await call(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
  });
});

describe('a web page', () => {
  const forbidden = {
    status: 403,
    body: {
      message:
        '403: Forbidden: not for web pages (Origin, Sec-Fetch-Site) but those of “footbridge origins” and rpc_origins; Host must be 127.0.0.1, and a form needs the Origin of its page',
      code: 0,
    },
  };

  it.each<[string, (port: number) => Record<string, string>]>([
    ['posts with its origin', () => ({ origin: 'http://evil.example' })],
    ['has an opaque origin', () => ({ origin: 'null' })],
    ['pretends to be us', (port) => ({ origin: `http://127.0.0.1:${port}` })],
    ['loads us as an image', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['is served on another port', () => ({ 'sec-fetch-site': 'same-site' })],
    ['has rebound its name', (port) => ({ host: `evil.example:${port}` })],
    ['uses another name of loopback', (port) => ({ host: `127.1:${port}` })],
    ['uses 0.0.0.0', (port) => ({ host: `0.0.0.0:${port}` })],
    ['leaves out the port', () => ({ host: '127.0.0.1' })],
    ['names another port', () => ({ host: '127.0.0.1:1' })],
    ['hides behind a user name', (port) => ({ host: `127.0.0.1:${port}@evil.example` })],
  ])('that %s gets the same response to every request', async (_, headers) => {
    for (const [method, path] of [
      ['POST', '/api/oauth2/token'],
      ['GET', '/api/oauth2/keys'],
      ['GET', '/nope'],
      ['OPTIONS', '/'],
    ] as const) {
      const answer = await call(path, { method, headers: headers(endpoint.port) });
      expect(answer).toMatchObject(forbidden);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('pipelined requests', () => {
  /** Sends so many at once, and gives what came until the connection ended. */
  const pipelined = (port: number, times: number): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8');
      socket.on('data', (chunk) => {
        text += chunk;
        if (text.split('HTTP/1.1 200').length > times) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(text));
      socket.write(`GET /api/gateway HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(times));
    });

  it('are answered in order when 200 arrive at once', async () => {
    const text = await pipelined(endpoint.port, 200);
    expect(text.split('HTTP/1.1 200').length - 1).toBe(200);
  });

  it('close the connection when too many wait, and are not processed', async () => {
    expect(await pipelined(endpoint.port, 2_000)).toBe('');
    expect((await call('/api/gateway', { method: 'GET' })).status).toBe(200);
  });
});

it('the HTTP server listens on 127.0.0.1 only', async () => {
  const other = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
  const reachable = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host, port: endpoint.port });
      socket.on('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  expect(await reachable('127.0.0.1')).toBe(true);
  // On a machine without any other address, the second loopback address has to do.
  expect(await reachable(other ?? '127.0.0.2')).toBe(false);
});

it('the HTTP server continues to serve after bytes that are not HTTP', async () => {
  for (const bytes of [
    '\0\0\0\0',
    'GET / HTTP/9.9\r\n\r\n',
    'POST /api/oauth2/token HTTP/1.1\r\nHost\r\n\r\n',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: endpoint.port }, () => socket.end(bytes));
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
      socket.resume();
    });
  }
  expect((await post('/api/oauth2/token', exchangeForm(await code()))).status).toBe(200);
});

it('a connection beyond 64 replaces the connection that was silent for the longest time', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const socket = connect({ host: '127.0.0.1', port: endpoint.port });
      socket.on('error', () => {}).resume();
      await new Promise((resolve) => socket.on('connect', resolve));
      return socket;
    }),
  );
  expect((await call('/api/oauth2/keys', { method: 'GET' })).status).toBe(200);
  await expect.poll(() => sockets.map(({ destroyed }) => destroyed).indexOf(false)).toBe(1);
  const [, ...others] = sockets;
  const gone = others.map((socket) => new Promise((resolve) => socket.on('close', resolve)));
  for (const socket of others) socket.end();
  await Promise.all(gone);
  expect((await post('/api/oauth2/token', exchangeForm(await code()))).status).toBe(200);
});

it('the HTTP server closes with open connections, and releases its port', async () => {
  const socket = connect({ host: '127.0.0.1', port: endpoint.port });
  await new Promise((resolve) => socket.on('connect', resolve));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', () => undefined);
  await endpoint.close();
  await closed;
  const again = await emulator.listen({ port: endpoint.port });
  expect(again.port).toBe(endpoint.port);
  await again.close();
});

it('the HTTP server reports a port that is in use', async () => {
  await expect(emulator.listen({ port: endpoint.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('the HTTP server logs no code, token or secret [U-8]', async () => {
  const value = await code(secretive);
  await post('/api/oauth2/token', { ...exchangeForm(value, secretive), client_secret: 'canary-secret' });
  const { refresh_token, access_token } = await tokens();
  const form = { grant_type: 'refresh_token', client_id: open, refresh_token };
  await post('/api/oauth2/token', form);
  await post('/api/oauth2/token', form);
  const logged = lines.join('\n');
  expect(logged).toMatch(/refresh token twice/);
  for (const canary of [value, 'canary-secret', refresh_token, access_token])
    expect(logged).not.toContain(canary);
});
