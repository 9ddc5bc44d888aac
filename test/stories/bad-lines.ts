import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { type Answer, ask, raw, zeros } from './ask.ts';
import { APP, botToken, OTHER_APP, REDIRECT, SECRET, type Tokens } from './story.ts';

/** What a line may use: one thing of each kind that is good. */
export interface World {
  readonly emulator: TestEmulator;
  readonly tokens: Tokens;
  /** Bound to a challenge; its verifier is {@link VERIFIER}. */
  readonly boundCode: () => Promise<string>;
  readonly code: () => Promise<string>;
}

const VERIFIER = 'v'.repeat(43);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const client = { client_id: APP, client_secret: 'any' };
const exchange = { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...client };
export const json = { 'content-type': 'application/json' };
export const bot = { authorization: `Bot ${botToken()}` };

const invalidGrant = (what: string) => ({ error: 'invalid_grant', error_description: what });
const invalidRequest = (what: string) => ({ error: 'invalid_request', error_description: what });
const plain = (message: string) => ({ message, code: 0 });
export const UNAUTHORIZED = plain('401: Unauthorized');
const FORBIDDEN = plain(
  '403: Forbidden: not for web pages (Origin, Sec-Fetch-Site) but those of “footbridge origins” and rpc_origins; Host must be 127.0.0.1, and a form needs the Origin of its page',
);
const INVALID_JSON = { message: 'The request body contains invalid JSON.', code: 50109 };
const formFault = (code: string, message: string) => ({
  message: 'Invalid Form Body',
  code: 50035,
  errors: { _errors: [{ code, message }] },
});

/** What is sent, and what is answered. */
export interface Line {
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
export const me = ({ emulator }: World, authorization: string) =>
  ask(emulator, 'GET /v10/users/@me', { headers: { authorization } });

export const REQUESTS: readonly Line[] = [
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
    body: { message: 'Request entity too large', code: 40005 },
  },
  {
    what: 'a body of 100 MiB, in chunks',
    ask: ({ emulator }) =>
      ask(emulator, 'PATCH /v10/users/@me', { headers: { ...bot, ...json }, body: zeros(100) }),
    status: 413,
    body: { message: 'Request entity too large', code: 40005 },
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
    body: INVALID_JSON,
  },
  {
    what: 'JSON that is no UTF-8',
    ask: ({ emulator }) =>
      ask(emulator, 'PATCH /v10/users/@me', {
        headers: { ...bot, ...json },
        body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      }),
    status: 400,
    body: INVALID_JSON,
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
      body: INVALID_JSON,
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
    body: INVALID_JSON,
  },
  {
    what: 'a Host that was pointed at this machine',
    ask: ({ emulator }) => ask(emulator, 'GET /v10/gateway', { headers: { host: 'evil.example' } }),
    status: 403,
    body: FORBIDDEN,
  },
  {
    what: 'no Host',
    ask: ({ emulator }) => raw(emulator, 'GET /api/v10/gateway HTTP/1.1\r\nConnection: close\r\n\r\n'),
    status: 403,
    body: FORBIDDEN,
  },
  {
    what: 'what is not HTTP at all',
    ask: ({ emulator }) => raw(emulator, '\u0016\u0003\u0001\u0002\u0000\u0001 hello'),
    status: 400,
    body: plain('400: Bad Request'),
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
];
