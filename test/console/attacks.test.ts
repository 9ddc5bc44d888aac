import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Console } from '../../src/console/console.ts';
import { strangeHosts } from '../helpers/cross-site.ts';
import {
  ask,
  entered,
  openConsole,
  ownLines,
  type PlayedBridge,
  playedBridge,
  REFUSAL,
  SECRET,
  sent,
  targetOf,
} from './door.ts';

// Whoever has no session, is another page, or does not speak as a browser that shows the page, gets a constant refusal, and
// the bridge is never asked.

let bridge: PlayedBridge;
let served: Console;
let port: number;
let cookie: string;

beforeEach(async () => {
  bridge = playedBridge();
  served = await openConsole(bridge);
  port = served.port;
  cookie = await entered(served);
});

const CALL = 'POST /call/state.show';
const without = (name: string): readonly string[] => ownLines(port).filter((line) => !line.startsWith(name));

it('the console answers the page itself, so that each refusal below has its own reason', async () => {
  expect((await ask(port, 'GET /', [cookie])).body).toContain(SECRET);
  expect((await ask(port, 'GET /status', [cookie, 'Sec-Fetch-Site: same-origin'])).body).toContain(SECRET);
  expect((await ask(port, CALL, [cookie, ...ownLines(port)], '{}')).status).toBe(200);
  expect(bridge.called).toHaveLength(1);
});

describe('the console refuses with a constant response, and without a call to the bridge,', () => {
  afterEach(() => expect(bridge.called).toEqual([]));

  const get = ['/', '/app.js', '/app.css', '/favicon.ico', '/status', '/operations', '/events', '/none'];

  it.each(get)('a request without a cookie, GET %s', async (path) => {
    expect((await ask(port, `GET ${path}`)).whole).toBe(REFUSAL);
  });
  it.each(get)('a forged cookie, GET %s', async (path) => {
    const made = `Cookie: footbridge-console-${port}=AAAAAAAAAAAAAAAAAAAAAA`;
    expect((await ask(port, `GET ${path}`, [made])).whole).toBe(REFUSAL);
  });
  it('the cookie of another console, under the name of either console', async () => {
    const other = await openConsole();
    const theirs = await entered(other);
    expect((await ask(port, 'GET /status', [theirs])).whole).toBe(REFUSAL);
    const renamed = theirs.replace(String(other.port), String(port));
    expect((await ask(port, 'GET /status', [renamed])).whole).toBe(REFUSAL);
    expect((await ask(other.port, 'GET /status', [theirs])).status).toBe(200);
  });
  it('the right cookie beside another cookie of its name', async () => {
    expect((await ask(port, 'GET /status', [`${cookie}; footbridge-console-${port}=x`])).whole).toBe(REFUSAL);
    expect((await ask(port, 'GET /status', [cookie, cookie])).whole).toBe(REFUSAL);
  });
  it.each(strangeHosts)('a foreign Host: %s', async (name, lines) => {
    const host = lines(port);
    const answer =
      host.length > 0
        ? await ask(port, 'GET /', [...host, cookie])
        : await sent(port, `GET / HTTP/1.1\r\n${cookie}\r\n\r\n`);
    expect({ name, whole: answer.whole }).toEqual({ name, whole: REFUSAL });
  });
  it('the Host localhost, which has other cookies', async () => {
    expect((await ask(port, 'GET /', [`Host: localhost:${port}`, cookie])).whole).toBe(REFUSAL);
  });
  it.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'https://127.0.0.1:PORT',
    'http://localhost:PORT',
    'http://127.0.0.1:PORT/',
    'http://127.0.0.1:PORT.evil.example',
    '',
  ])('a foreign Origin: %s', async (given) => {
    const origin = `Origin: ${given.replace('PORT', String(port))}`;
    const lines = [cookie, ...without('Origin'), origin];
    expect((await ask(port, CALL, lines, '{}')).whole).toBe(REFUSAL);
    expect((await ask(port, 'GET /status', [cookie, origin])).whole).toBe(REFUSAL);
    expect((await ask(port, 'GET /events', [cookie, origin])).whole).toBe(REFUSAL);
  });
  it('two Origin headers, the first one right', async () => {
    const lines = [cookie, ...ownLines(port), 'Origin: https://evil.example'];
    expect((await ask(port, CALL, lines, '{}')).whole).toBe(REFUSAL);
  });
  it.each(['cross-site', 'same-site', 'something'])('a request with Sec-Fetch-Site: %s', async (site) => {
    const lines = [cookie, ...without('Sec-Fetch-Site'), `Sec-Fetch-Site: ${site}`];
    expect((await ask(port, CALL, lines, '{}')).whole).toBe(REFUSAL);
    for (const path of ['/status', '/app.js', '/events'])
      expect((await ask(port, `GET ${path}`, [cookie, `Sec-Fetch-Site: ${site}`])).whole).toBe(REFUSAL);
  });
  it.each(['iframe', 'frame', 'embed', 'object', 'fencedframe'])(
    'a page in the element %s',
    async (destination) => {
      const lines = [cookie, `Sec-Fetch-Dest: ${destination}`, 'Sec-Fetch-Site: none'];
      expect((await ask(port, 'GET /', lines)).whole).toBe(REFUSAL);
      const address = targetOf(served.address());
      expect((await ask(port, `GET ${address}`, lines)).whole).toBe(REFUSAL);
      expect((await ask(port, `GET ${address}`)).status).toBe(200);
    },
  );
  it.each([
    ['no Origin', 'Origin'],
    ['no header of the page', 'Footbridge-Console'],
  ])('a POST with %s', async (_name, missing) => {
    expect((await ask(port, CALL, [cookie, ...without(missing)], '{}')).whole).toBe(REFUSAL);
  });
  it('a POST without a cookie', async () => {
    expect((await ask(port, CALL, ownLines(port), '{}')).whole).toBe(REFUSAL);
    expect((await ask(port, 'POST /doctor', ownLines(port), '{}')).whole).toBe(REFUSAL);
  });
  it.each(['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PATCH', 'get'])('the method %s', async (method) => {
    for (const path of ['/', '/status', '/call/state.show', targetOf(served.address())])
      expect((await ask(port, `${method} ${path}`, [cookie])).status).toBeOneOf([403, 404]);
  });
  it('CONNECT and a protocol upgrade', async () => {
    expect((await ask(port, 'CONNECT example.com:443', [cookie])).whole).toBe(REFUSAL);
    const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    expect((await ask(port, 'GET /events', [cookie, ...lines])).whole).toBe(REFUSAL);
  });
  it('a CORS preflight of another page', async () => {
    const lines = [
      'Origin: https://evil.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: footbridge-console',
      'Access-Control-Request-Private-Network: true',
    ];
    expect((await ask(port, 'OPTIONS /call/state.show', lines)).whole).toBe(REFUSAL);
  });
  it('a request over HTTP/1.0', async () => {
    const lines = `Host: 127.0.0.1:${port}\r\n${cookie}\r\n`;
    expect((await sent(port, `GET / HTTP/1.0\r\n${lines}\r\n`)).whole).toBe(REFUSAL);
  });
  it('a request target that is a whole address, or no path', async () => {
    for (const target of [`http://127.0.0.1:${port}/`, 'http://evil.example/', '*', 'status'])
      expect((await ask(port, `GET ${target}`, [cookie])).status).toBeOneOf([403, 404]);
  });
});
