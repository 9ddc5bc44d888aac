// What a broken, confused or hostile program sends: each line is answered in the platform's own words, and nothing else happens.
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { watchPort } from './answers.ts';
import {
  APP,
  botToken,
  codeOf,
  confidential,
  OTHER_APP,
  REDIRECT,
  SECRET,
  startEmulator,
  story,
  type Tokens,
  tokensOf,
} from './story.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | AsyncIterable<Buffer>;
}

/** A request with exactly these headers; the path is below `/api` unless it begins with two slashes. */
async function ask(
  emulator: TestEmulator,
  what: string,
  { headers = {}, form, body }: Sent = {},
): Promise<Answer> {
  const [method, path = ''] = what.split(' ');
  const { port } = new URL(emulator.api);
  const formType = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const bytes = form === undefined ? body : new URLSearchParams(form).toString();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: path.startsWith('//') ? path.slice(1) : `/api${path}`,
        headers: { ...formType, ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    // Who is refused before the end of a body may find its connection closed: the answer counts.
    sent.on('error', (error) => setTimeout(() => reject(error), 1000));
    if (bytes === undefined || typeof bytes === 'string' || Buffer.isBuffer(bytes)) sent.end(bytes);
    else void feed(bytes, sent);
  });
}

async function feed(bytes: AsyncIterable<Buffer>, to: NodeJS.WritableStream): Promise<void> {
  for await (const chunk of bytes) {
    if (!to.writable) return;
    if (!to.write(chunk)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
  }
  to.end();
}

async function* zeros(mebibytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < mebibytes; sent += 1) yield Buffer.alloc(1024 * 1024);
}

/** What a line may use: one thing of each kind that is good. */
interface World {
  readonly emulator: TestEmulator;
  readonly tokens: Tokens;
  /** Bound to a challenge; its verifier is {@link VERIFIER}. */
  readonly boundCode: () => Promise<string>;
  readonly code: () => Promise<string>;
}

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const client = { client_id: APP, client_secret: 'any' };
const exchange = { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...client };
const json = { 'content-type': 'application/json' };
const bot = { authorization: `Bot ${botToken()}` };

const invalidGrant = (what: string) => ({ error: 'invalid_grant', error_description: what });
const invalidRequest = (what: string) => ({ error: 'invalid_request', error_description: what });
const plain = (message: string) => ({ message, code: 0 });
const UNAUTHORIZED = plain('401: Unauthorized');
const FORBIDDEN = plain('403: Forbidden');
const formFault = (code: string, message: string) => ({
  message: 'Invalid Form Body',
  code: 50035,
  errors: { _errors: [{ code, message }] },
});

interface Line {
  readonly what: string;
  readonly ask: (world: World) => Promise<Answer>;
  readonly status: number;
  /** Whole; undefined where HTTP itself leaves none. */
  readonly body: unknown;
}

const token = ({ emulator }: World, form: Readonly<Record<string, string>>, headers = {}) =>
  ask(emulator, 'POST /oauth2/token', { form, headers });
const twin = ({ emulator }: World, query: Readonly<Record<string, string>>) =>
  ask(
    emulator,
    `POST /oauth2/authorize?${new URLSearchParams({ client_id: APP, redirect_uri: REDIRECT, scope: 'identify', ...query }).toString()}`,
    { headers: json, body: '{}' },
  );
const me = ({ emulator }: World, authorization: string) =>
  ask(emulator, 'GET /v10/users/@me', { headers: { authorization } });

const LINES: readonly Line[] = [
  {
    what: 'no grant type',
    ask: (world) => token(world, client),
    status: 400,
    body: invalidRequest('Missing "grant_type" in request.'),
  },
  {
    what: 'a grant type that there is not',
    ask: (world) => token(world, { ...exchange, grant_type: 'password', username: 'river', password: 'x' }),
    status: 400,
    body: { error: 'unsupported_grant_type', error_description: 'This grant type is not supported.' },
  },
  {
    what: 'a code that never was',
    ask: (world) => token(world, { ...exchange, code: 'x'.repeat(30) }),
    status: 400,
    body: invalidGrant('Invalid "code" in request.'),
  },
  {
    what: 'a code used before',
    ask: async (world) => {
      const code = await world.code();
      expect((await token(world, { ...exchange, code })).status).toBe(200);
      return token(world, { ...exchange, code });
    },
    status: 400,
    body: invalidGrant('Invalid "code" in request.'),
  },
  {
    what: 'a code of another application',
    ask: async (world) => {
      const code = await world.code();
      return token(world, { ...exchange, code, client_id: OTHER_APP, client_secret: SECRET });
    },
    status: 400,
    body: invalidGrant('Invalid "code" in request.'),
  },
  {
    what: 'a wrong verifier; the code is good for the right one still',
    ask: async (world) => {
      const code = await world.boundCode();
      const wrong = await token(world, { ...exchange, code, code_verifier: 'w'.repeat(43) });
      expect((await token(world, { ...exchange, code, code_verifier: VERIFIER })).status).toBe(200);
      return wrong;
    },
    status: 400,
    body: invalidRequest('Invalid "code_verifier"'),
  },
  {
    what: 'no verifier where a challenge was',
    ask: async (world) => token(world, { ...exchange, code: await world.boundCode() }),
    status: 400,
    body: invalidRequest('Missing "code_verifier"'),
  },
  {
    what: 'plain PKCE',
    ask: (world) => twin(world, { code_challenge: VERIFIER, code_challenge_method: 'plain' }),
    status: 200,
    body: {
      url: `${REDIRECT}?error=invalid_request&error_description=${encodeURIComponent('Unsupported "code_challenge_method": only S256.').replaceAll('%20', '+')}`,
    },
  },
  {
    what: 'a foreign redirect address in the authorization: nobody is sent there',
    ask: (world) => twin(world, { redirect_uri: 'https://evil.example/callback' }),
    status: 400,
    body: invalidRequest('Invalid "redirect_uri" in request.'),
  },
  {
    what: 'a foreign redirect address in the exchange; the code is good for the right one still',
    ask: async (world) => {
      const code = await world.code();
      const wrong = await token(world, { ...exchange, code, redirect_uri: `${REDIRECT}/` });
      expect((await token(world, { ...exchange, code })).status).toBe(200);
      return wrong;
    },
    status: 400,
    body: invalidRequest('Invalid "redirect_uri" in request.'),
  },
  {
    what: 'a wrong secret in the form',
    ask: (world) => token(world, { ...exchange, code: 'x', client_id: OTHER_APP, client_secret: 'wrong' }),
    status: 401,
    body: { error: 'invalid_client' },
  },
  {
    what: 'a wrong secret by HTTP Basic',
    ask: (world) =>
      token(
        world,
        { grant_type: 'client_credentials', scope: 'identify' },
        { authorization: `Basic ${Buffer.from(`${OTHER_APP}:wrong`).toString('base64')}` },
      ),
    status: 401,
    body: { error: 'invalid_client' },
  },
  {
    what: 'a refresh token that never was',
    ask: (world) => token(world, { ...client, grant_type: 'refresh_token', refresh_token: 'x'.repeat(30) }),
    status: 400,
    body: invalidGrant('Invalid "refresh_token" in request'),
  },
  {
    what: 'an access token in the place of a refresh token',
    ask: (world) =>
      token(world, { ...client, grant_type: 'refresh_token', refresh_token: world.tokens.access_token }),
    status: 400,
    body: invalidGrant('Invalid "refresh_token" in request'),
  },
  { what: 'no token', ask: (world) => me(world, ''), status: 401, body: UNAUTHORIZED },
  {
    what: 'a token that never was',
    ask: (world) => me(world, `Bearer ${'x'.repeat(30)}`),
    status: 401,
    body: UNAUTHORIZED,
  },
  {
    what: 'a refresh token as a bearer',
    ask: (world) => me(world, `Bearer ${world.tokens.refresh_token}`),
    status: 401,
    body: UNAUTHORIZED,
  },
  {
    what: 'a bot token of another signature',
    ask: (world) => me(world, `Bot ${botToken()}x`),
    status: 401,
    body: UNAUTHORIZED,
  },
  {
    what: 'a token of 16 KiB less its header',
    ask: (world) => me(world, `Bearer ${'x'.repeat(15_000)}`),
    status: 401,
    body: UNAUTHORIZED,
  },
  ...['no boundary', 'no end', 'a file'].map(
    (what): Line => ({
      what: `multipart with ${what}`,
      ask: ({ emulator }) => {
        const boundary = what === 'no boundary' ? '' : '; boundary=b';
        const file = what === 'a file' ? '; filename="x"\r\nContent-Type: text/plain' : '';
        const end = what === 'no end' ? '' : '\r\n--b--\r\n';
        return ask(emulator, 'POST /oauth2/token', {
          headers: { 'content-type': `multipart/form-data${boundary}` },
          body: `--b\r\nContent-Disposition: form-data; name="grant_type"${file}\r\n\r\nrefresh_token${end}`,
        });
      },
      status: 400,
      body: invalidRequest('The multipart body is not well-formed.'),
    }),
  ),
  {
    what: 'a header of 1 MiB',
    ask: ({ emulator }) =>
      ask(emulator, 'GET /v10/gateway', { headers: { 'x-audit-log-reason': 'x'.repeat(1024 * 1024) } }),
    status: 431,
    body: plain('431: Request Header Fields Too Large'),
  },
  {
    what: 'a header line without a colon',
    ask: ({ emulator }) => raw(emulator, 'GET /api/v10/gateway HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n'),
    status: 400,
    body: plain('400: Bad Request'),
  },
  {
    what: 'a body of 100 MiB, announced',
    ask: ({ emulator }) =>
      ask(emulator, 'POST /oauth2/token', {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(100 * 1024 * 1024),
        },
        body: zeros(100),
      }),
    status: 413,
    body: plain('413: Payload Too Large'),
  },
  {
    what: 'a body of 100 MiB, in chunks',
    ask: ({ emulator }) =>
      ask(emulator, 'PATCH /v10/users/@me', { headers: { ...bot, ...json }, body: zeros(100) }),
    status: 413,
    body: plain('413: Payload Too Large'),
  },
  {
    what: 'a route that there is not',
    ask: ({ emulator }) => ask(emulator, 'GET /v10/no/such'),
    status: 404,
    body: plain('404: Not Found'),
  },
  {
    what: 'a route above the root',
    ask: ({ emulator }) => ask(emulator, 'GET /v10/../../../etc/passwd'),
    status: 404,
    body: plain('404: Not Found'),
  },
  {
    what: 'a wrong verb',
    ask: ({ emulator }) => ask(emulator, 'GET /v10/oauth2/token'),
    status: 405,
    body: plain('405: Method Not Allowed'),
  },
  {
    what: 'a verb that nobody has',
    ask: ({ emulator }) => ask(emulator, 'PROPFIND /v10/users/@me'),
    status: 405,
    body: plain('405: Method Not Allowed'),
  },
  {
    what: 'a version that is no more',
    ask: ({ emulator }) => ask(emulator, 'GET /v5/gateway'),
    status: 400,
    body: { message: 'Invalid API version provided', code: 50041 },
  },
  {
    what: 'JSON where a form is due',
    ask: ({ emulator }) =>
      ask(emulator, 'POST /oauth2/token', {
        headers: json,
        body: JSON.stringify({ grant_type: 'refresh_token' }),
      }),
    status: 400,
    body: invalidRequest('The body must be application/x-www-form-urlencoded or multipart/form-data.'),
  },
  {
    what: 'a form where JSON is due',
    ask: ({ emulator }) => ask(emulator, 'PATCH /v10/users/@me', { headers: bot, form: { username: 'tug' } }),
    status: 400,
    body: formFault('BASE_TYPE_INVALID', 'The body must be application/json.'),
  },
  {
    what: 'JSON that is none',
    ask: ({ emulator }) =>
      ask(emulator, 'PATCH /v10/users/@me', { headers: { ...bot, ...json }, body: '{"username":' }),
    status: 400,
    body: formFault('BASE_TYPE_INVALID', 'The body is not JSON.'),
  },
  {
    what: 'JSON that is no UTF-8',
    ask: ({ emulator }) =>
      ask(emulator, 'PATCH /v10/users/@me', {
        headers: { ...bot, ...json },
        body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      }),
    status: 400,
    body: formFault('BASE_TYPE_INVALID', 'The body is not JSON.'),
  },
  ...[30_000, 2_000_000].map(
    (depth): Line => ({
      what: `lists ${depth} deep`,
      ask: ({ emulator }) =>
        ask(emulator, 'PATCH /v10/users/@me', {
          headers: { ...bot, ...json },
          body: '['.repeat(depth) + ']'.repeat(depth),
        }),
      status: 400,
      body: formFault('DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType'),
    }),
  ),
  {
    what: 'objects 10,000 deep in a field',
    ask: ({ emulator }) =>
      ask(emulator, 'PATCH /v10/users/@me', {
        headers: { ...bot, ...json },
        body: `{"username":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
      }),
    status: 400,
    body: {
      message: 'Invalid Form Body',
      code: 50035,
      errors: {
        username: {
          _errors: [{ code: 'STRING_TYPE_CONVERT', message: 'Could not interpret the value as string.' }],
        },
      },
    },
  },
  {
    what: 'a Host that was pointed at this machine',
    ask: ({ emulator }) => ask(emulator, 'GET /v10/gateway', { headers: { host: 'evil.example' } }),
    status: 403,
    body: FORBIDDEN,
  },
  {
    what: 'the Origin of a web page',
    ask: ({ emulator, tokens }) =>
      ask(emulator, 'GET /v10/users/@me', {
        headers: { origin: 'https://evil.example', authorization: `Bearer ${tokens.access_token}` },
      }),
    status: 403,
    body: FORBIDDEN,
  },
  {
    what: 'the preflight of a web page',
    ask: ({ emulator }) =>
      ask(emulator, 'OPTIONS /v10/users/@me', {
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'PATCH' },
      }),
    status: 403,
    body: FORBIDDEN,
  },
  {
    what: 'a request that a web page makes without an Origin',
    ask: ({ emulator }) =>
      ask(emulator, 'GET /v10/gateway', {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      }),
    status: 403,
    body: FORBIDDEN,
  },
  ...(
    [
      ['https://events.example/', 'https: is not delivered to'],
      ['http://events.example/', 'events.example is another machine, or may be'],
      ['file:///etc/passwd', 'file: is not delivered to'],
      ['http://192.0.2.1/', '192.0.2.1 is another machine, or may be'],
      ['http://0x7f.1/', '"0x7f.1" is an address in disguise'],
      ['http://2130706433/', '"2130706433" is an address in disguise'],
      ['http://[::ffff:127.0.0.1]/', '"[::ffff:127.0.0.1]" is an address in disguise'],
      ['http://127.0.0.1@evil.example/', 'has a user name or a password in it'],
      ['http://localhost.evil.example/', 'localhost.evil.example is another machine, or may be'],
      ['nowhere', 'is no address'],
    ] as const
  ).map(
    ([url, reason]): Line => ({
      what: `the webhook address ${url}`,
      ask: ({ emulator }) =>
        ask(emulator, 'PATCH /v10/applications/@me', {
          headers: { ...bot, ...json },
          body: JSON.stringify({ event_webhooks_url: url, description: 'changed' }),
        }),
      status: 400,
      body: {
        message: 'Invalid Form Body',
        code: 50035,
        errors: {
          event_webhooks_url: {
            _errors: [
              {
                code: 'APPLICATION_EVENT_WEBHOOKS_URL_INVALID',
                message: `${reason}; events are delivered to http: addresses of this machine only`,
              },
            ],
          },
        },
      },
    }),
  ),
];

/** Bytes as they are, for what no client sends. */
function raw(emulator: TestEmulator, bytes: string): Promise<Answer> {
  return rawAnswer(Number(new URL(emulator.api).port), bytes);
}

async function rawAnswer(port: number, bytes: string): Promise<Answer> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.end(bytes);
  const text = (await socket.toArray()).join('');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: {}, text: body };
}

/** All that could have changed: the state, who granted what, and what waits for a person. */
async function everything({ operations }: TestEmulator): Promise<unknown> {
  const { state } = (await operations.call('emulator.export')) as { readonly state: string };
  return [state, await operations.call('grants.list'), await operations.call('requests.list')];
}

describe('bad input', () => {
  let world: World;
  beforeAll(async () => {
    const emulator = await startEmulator();
    watchPort(Number(new URL(emulator.api).port));
    await confidential(emulator);
    // The bot's user is made when it is first used, and somebody allows once.
    await ask(emulator, 'GET /v10/users/@me', { headers: bot });
    const code = () => codeOf(emulator, { scope: 'identify' });
    const boundCode = () => codeOf(emulator, { scope: 'identify', code_challenge: CHALLENGE });
    world = { emulator, tokens: await tokensOf(emulator, { scope: 'identify' }), code, boundCode };
    return () => emulator.close();
  });

  it.each(LINES)('$what', async ({ ask: send, status, body }) => {
    const { emulator, tokens } = world;
    const before = await everything(emulator);
    const answer = await send(world);
    expect({ status: answer.status, body: JSON.parse(answer.text) as unknown }).toEqual({ status, body });
    expect(JSON.stringify(answer.headers)).not.toMatch(/access-control|x-powered-by|"server"/i);
    expect(await everything(emulator)).toEqual(before);
    expect((await me(world, `Bearer ${tokens.access_token}`)).status).toBe(200);
  });
});

describe('a token', () => {
  it('that has expired, or whose application was taken back, is worth nothing', async () => {
    const emulator = await story();
    const who = async ({ access_token }: Tokens) => {
      const { status, text } = await ask(emulator, 'GET /v10/users/@me', {
        headers: { authorization: `Bearer ${access_token}` },
      });
      return { status, body: JSON.parse(text) as unknown };
    };
    const old = await tokensOf(emulator, { scope: 'identify' });
    await emulator.clock.advance('7d');
    expect(await who(old)).toEqual({ status: 401, body: UNAUTHORIZED });
    const young = await tokensOf(emulator, { scope: 'identify' });
    expect((await who(young)).status).toBe(200);
    await ask(emulator, 'POST /oauth2/token/revoke', { form: { token: young.access_token, client_id: APP } });
    expect(await who(young)).toEqual({ status: 401, body: UNAUTHORIZED });
  });
});

describe('a body that is too large', () => {
  it('costs no memory worth the name', async () => {
    const emulator = await story();
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 5);
    onTestFinished(() => clearInterval(timer));
    for (let i = 0; i < 3; i += 1) {
      const { status } = await ask(emulator, 'PATCH /v10/users/@me', {
        headers: { ...bot, ...json },
        body: zeros(100),
      });
      expect(status).toBe(413);
    }
    // Three times 100 MiB went by, made in this very process.
    expect(most).toBeLessThan(100 * 1024 * 1024);
  });
});
