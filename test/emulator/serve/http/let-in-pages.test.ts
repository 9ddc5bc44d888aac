import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startEmulator, type TestEmulator } from '../../../../src/testing/testing.ts';
import { strangeOrigins } from '../../../helpers/cross-site.ts';

const PAGE = 'http://localhost:3000';
const APP = '300000000000000001';

let emulator: TestEmulator;

beforeEach(async () => {
  emulator = await startEmulator();
  onTestFinished(() => emulator.close());
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends exactly these header lines. */
function call(method: string, path: string, lines: readonly string[]): Promise<Answer> {
  const { host, pathname } = new URL(emulator.api);
  return new Promise((resolve, reject) => {
    const headers = [...lines, `Host: ${host}`].flatMap((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    });
    const request = httpRequest(`http://${host}${pathname}${path}`, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

const fromPage = [`Origin: ${PAGE}`];
const wanted = [
  ...fromPage,
  'Access-Control-Request-Method: POST',
  'Access-Control-Request-Headers: authorization',
];

async function letIn(): Promise<void> {
  await emulator.operations.call('origins.add', { clientId: APP, origin: PAGE });
}

describe('a web page with an allowed origin', () => {
  it.each([
    ['by footbridge origins', letIn],
    [
      'by the rpc_origins of an application',
      async () =>
        void (await emulator.operations.call('emulator.apply', {
          patch: { applications: [{ id: APP, rpc_origins: [PAGE] }] },
        })),
    ],
  ])('reads responses when it is allowed %s', async (_how, add) => {
    await add();
    const answer = await call('GET', '/gateway', fromPage);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers': '*',
      vary: 'Origin',
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('reads refusals as well', async () => {
    await letIn();
    expect(await call('GET', '/users/@me', fromPage)).toMatchObject({
      status: 401,
      headers: { 'access-control-allow-origin': PAGE },
    });
    expect(await call('GET', '/nowhere', fromPage)).toMatchObject({
      status: 404,
      headers: { 'access-control-allow-origin': PAGE },
    });
  });

  it('reads the response of a fault, but gets its preflight response without the fault', async () => {
    await letIn();
    await emulator.operations.call('fault.add', { fault: 'status=503', route: '*' });
    expect((await call('OPTIONS', '/users/@me', wanted)).status).toBe(204);
    expect(await call('GET', '/users/@me', fromPage)).toMatchObject({
      status: 503,
      headers: { 'access-control-allow-origin': PAGE },
    });
  });

  it('may send a token', async () => {
    await letIn();
    const { status, headers, text } = await call('OPTIONS', '/users/@me', wanted);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-headers': '*, authorization',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    });
  });

  it('gets 405 for an OPTIONS request that is not a preflight', async () => {
    await letIn();
    expect((await call('OPTIONS', '/oauth2/token', fromPage)).status).toBe(405);
  });

  it('receives HELLO from the gateway', async () => {
    await letIn();
    expect(await hello(PAGE)).toBe('hello');
  });

  it('is refused again once its origin is removed', async () => {
    await letIn();
    await emulator.operations.call('origins.remove', { clientId: APP, origin: PAGE });
    expect(await call('GET', '/gateway', fromPage)).toMatchObject({ status: 403 });
    expect(await hello(PAGE)).toBe('403');
  });

  it('does not reach the consent page', async () => {
    await letIn();
    const answer = await call('POST', '/../oauth2/authorize', [...fromPage, 'Content-Length: 0']);
    expect(answer.status).toBe(403);
  });
});

describe('a web page with another origin', () => {
  const strangers = strangeOrigins.filter(([name]) => name !== 'none');

  it.each(strangers)('is refused without CORS headers: %s', async (_name, lines) => {
    await letIn();
    for (const [method, more] of [
      ['GET', []],
      ['OPTIONS', ['Access-Control-Request-Method: POST']],
    ] as const) {
      const answer = await call(method, '/gateway', [...lines, ...more]);
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('receives no HELLO from the gateway', async () => {
    await letIn();
    expect(await hello('https://evil.example')).toBe('403');
  });

  it('is recorded in the journal as refused, with the command that allows the origin', async () => {
    const origin = 'https://evil.example';
    await call('GET', '/gateway?token=secret', [`Origin: ${origin}`]);
    await call('GET', '/gateway', [`Origin: ${origin}`]);
    await hello(origin);
    const remedy = expect.stringContaining(`footbridge origins add CLIENT_ID ${origin}`);
    expect(emulator.journal({ kinds: ['refused'] })).toMatchObject([
      { over: 'api', why: 'origin', origin, clientId: null, application: null, count: 1, remedy },
      { over: 'gateway', why: 'origin', origin, clientId: null, application: null, count: 1, remedy },
    ]);
  });

  it('is not recorded for a form from the origin of the emulator itself', async () => {
    await call('POST', '/../oauth2/authorize', [
      `Origin: ${new URL(emulator.api).origin}`,
      'Content-Length: 0',
    ]);
    expect(emulator.journal({ kinds: ['refused'] })).toEqual([]);
  });
});

/** `hello`, or the status of the refusal. */
function hello(origin: string): Promise<string> {
  const socket = new WebSocket(new URL('/gateway?v=10&encoding=json', emulator.api.replace('http', 'ws')), {
    origin,
  });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    socket.on('message', (data: Buffer) =>
      resolve(JSON.parse(data.toString()).op === 10 ? 'hello' : 'something else'),
    );
    socket.on('error', reject);
  });
}
