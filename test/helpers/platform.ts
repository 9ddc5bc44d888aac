import { Agent, request as httpRequest } from 'node:http';
import { inject, onTestFinished } from 'vitest';
import { emptyState } from '../../src/emulator/accounts/oauth2/storage/state.ts';
import { memoryStore } from '../../src/emulator/accounts/oauth2/storage/store.ts';
import { botTokenOf } from '../../src/emulator/applications/bot.ts';
import { createEmulator } from '../../src/emulator/compose/create-emulator.ts';
import type { Emulator } from '../../src/emulator/compose/emulator.ts';
import type { EmulatorOptions } from '../../src/emulator/compose/emulator-options.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import type { Fixture } from '../../src/emulator/compose/fixture/fixture.ts';
// The first request would load these, which takes longer on a busy machine than a test may.
import '../../src/emulator/compose/reference.ts';
import '../../src/emulator/serve/http/app.ts';
import { ownFault } from './own-document.ts';

/** Application of the built-in fixture that anybody may use without a secret. */
export const APP = '300000000000000001';

/** What the platform answered. */
export interface PlatformAnswer {
  readonly status: number;
  readonly headers: Headers;
  // A test knows what it asked for.
  // biome-ignore lint/suspicious/noExplicitAny: every answer has another shape
  readonly body: any;
}

/** A request to the platform. */
export interface PlatformRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: FormData | Buffer | string;
}

/** An emulator that listens on a free port, closed with the test. */
export interface TestPlatform {
  readonly emulator: Emulator;
  /** Without a trailing slash: `http://127.0.0.1:4000/api`. */
  readonly url: string;
  /** Everything it logged. */
  readonly lines: readonly string[];
  readonly missing: () => ReadonlyMap<string, number>;
  /** `GET /users/@me`, below `/api/v10` unless the path says otherwise. */
  readonly call: (what: string, request?: PlatformRequest) => Promise<PlatformAnswer>;
  /** Headers of the application's bot. */
  readonly bot: (clientId?: string) => { readonly authorization: string };
  /** Headers of a token of the logged-in user. */
  readonly bearer: (
    scopes?: readonly string[],
    clientId?: string,
  ) => Promise<{ readonly authorization: string }>;
}

function exchange(
  address: string,
  method: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(address, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(Object.fromEntries(given)),
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // On a busy machine, the server may close an idle connection just when it is used again.
      const isAgain = sent.reusedSocket && error.code === 'ECONNRESET';
      if (isAgain) resolve(exchange(address, method, body, headers, agent));
      else reject(error);
    });
    sent.end(body);
  });
}

/** The body of a request, and the type that it has unless the request names another. */
async function encoded({ json, form, body }: PlatformRequest): Promise<{
  readonly bytes: Buffer;
  readonly type?: string;
}> {
  if (body instanceof FormData) {
    const parts = new Response(body);
    const type = parts.headers.get('content-type') ?? '';
    return { bytes: Buffer.from(await parts.arrayBuffer()), type };
  }
  if (Buffer.isBuffer(body)) return { bytes: body };
  if (body !== undefined) return { bytes: Buffer.from(body), type: 'text/plain;charset=UTF-8' };
  if (form !== undefined) {
    const bytes = Buffer.from(new URLSearchParams(form).toString());
    return { bytes, type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  }
  if (json === undefined) return { bytes: Buffer.alloc(0) };
  return { bytes: Buffer.from(JSON.stringify(json)), type: 'application/json' };
}

/** Starts a platform that allows every authorization, with what `change` makes of the built-in fixture. */
export async function testPlatform(
  change: (fixture: Fixture) => Fixture = (fixture) => fixture,
  options: Partial<EmulatorOptions> = {},
): Promise<TestPlatform> {
  const lines: string[] = [];
  const storage = memoryStore();
  await storage.save({ ...emptyState, keys: [inject('signingKey')] });
  const emulator = await createEmulator({
    fixture: change(defaultFixture()),
    storage,
    consent: { policy: 'allow' },
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
    ...options,
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(async () => {
    agent.destroy();
    await emulator.close();
  });
  // To look up whose a connection is takes longer than most tests; those of the server do it.
  const endpoint = await emulator.listen({ port: 0, refusedOwner: async () => undefined });
  const call = async (what: string, request: PlatformRequest = {}): Promise<PlatformAnswer> => {
    const { headers = {}, json } = request;
    const [method = 'GET', path = '/'] = what.split(' ');
    const address = path.startsWith('http')
      ? path
      : /^\/(api|overlay)\b/.test(path)
        ? new URL(path, endpoint.url).href
        : `${endpoint.url}/v10${path}`;
    const { bytes, type } = await encoded(request);
    const isTyped = json === undefined && Object.keys(headers).some((name) => /^content-type$/i.test(name));
    // Not with `fetch`, which says of itself in headers what only a browser should.
    const sent = {
      ...headers,
      ...(type === undefined || isTyped ? {} : { 'content-type': type }),
      ...(bytes.length === 0 ? {} : { 'content-length': String(bytes.length) }),
    };
    const response = await exchange(address, method, bytes, sent, agent);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answer = { ...response, body: isJson ? JSON.parse(response.body) : response.body };
    const { pathname } = new URL(address);
    const fault = ownFault(method, pathname, answer);
    if (fault !== undefined) throw new Error(`not as our own document says: ${fault}`);
    return answer;
  };
  return {
    emulator,
    url: endpoint.url,
    lines,
    missing: () => endpoint.missing(),
    call,
    bot: (clientId = APP) => {
      const written = emulator.tables.applications.get(clientId);
      return { authorization: `Bot ${botTokenOf(written ?? { id: clientId, bot_token: null })}` };
    },
    bearer: async (scopes = ['identify'], clientId = APP) => {
      const { code } = await emulator.oauth2.authorize({
        clientId,
        scopes,
        peer: { transport: 'ipc' },
        signal: new AbortController().signal,
      });
      const token = await emulator.oauth2.exchangeCode(
        { clientId, clientSecret: 'any' },
        { code, issuer: endpoint.url },
      );
      return { authorization: `Bearer ${token.access_token}` };
    },
  };
}
