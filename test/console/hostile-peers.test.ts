import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { asNobody } from '../helpers/other-user.ts';
import { uid } from '../helpers/sockets.ts';
import {
  ask,
  connected,
  entered,
  openConsole,
  ownLines,
  playedBridge,
  REFUSAL,
  SECRET,
  said,
  sent,
} from './door.ts';

const CALL = 'POST /call/state.show';

it.skipIf(uid !== 0)('the console refuses another user who has the cookie (needs root)', async () => {
  const served = await openConsole();
  const { port } = served;
  const cookie = await entered(served);
  const request = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${cookie}\r\n\r\n`;
  expect((await sent(port, request)).body).toContain(SECRET);
  // A program of nobody's is told as much as a page that guesses.
  const other = await openConsole(playedBridge(), { uid: 1 });
  expect(await asNobody(other.port, request)).toBe(REFUSAL);
  expect(await asNobody(port, request)).toBe(REFUSAL);
});

it('the console refuses a peer whose owner cannot be determined', async () => {
  const served = await openConsole(playedBridge(), { checkOwner: () => Promise.reject(new Error('no')) });
  expect((await ask(served.port, 'GET /enter?key=x')).whole).toBe(REFUSAL);
});

it('the console rejects a body above 1 MiB, by its declared and by its actual size', async () => {
  const bridge = playedBridge();
  const served = await openConsole(bridge);
  const cookie = await entered(served);
  const lines = [cookie, ...ownLines(served.port)];
  const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
  expect((await ask(served.port, CALL, lines, large)).status).toBe(413);
  const claimed = await ask(served.port, CALL, [...lines, 'Content-Length: 999999999999']);
  expect(claimed.status).toBe(413);
  const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const chunked = `${CALL} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n${lines.join('\r\n')}\r\n`;
  const answer = await sent(
    served.port,
    `${chunked}Transfer-Encoding: chunked\r\n\r\n${piece.repeat(20)}0\r\n\r\n`,
  );
  expect(answer.status).toBe(413);
  expect(bridge.called).toEqual([]);
});

it('the console reads no body before it has identified the sender', async () => {
  const served = await openConsole();
  const socket = await connected(served.port);
  socket.write(`${CALL} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nContent-Length: 1000000\r\n\r\n`);
  expect((await said(socket)).whole).toBe(REFUSAL);
});

it.each([
  ['no JSON', 'application/json', '{'],
  ['JSON that is not UTF-8', 'application/json', '"\\xff"'],
  ['a list', 'application/json', '[]'],
  ['null', 'application/json', 'null'],
  ['a form', 'application/x-www-form-urlencoded', 'a=b'],
  ['the type that a form can send', 'text/plain', '{"a":1}'],
  ['no type', '', '{}'],
])('the console rejects a body that is %s, without a call to the bridge', async (_name, type, body) => {
  const bridge = playedBridge();
  const served = await openConsole(bridge);
  const usual = ownLines(served.port).filter((line) => !line.startsWith('Content-Type'));
  const lines = [await entered(served), ...usual, ...(type === '' ? [] : [`Content-Type: ${type}`])];
  const { status, whole } = await ask(served.port, CALL, lines, body);
  expect([400, 415]).toContain(status);
  expect(whole).not.toContain(SECRET);
  expect(bridge.called).toEqual([]);
});

it.each([
  '/../dist/console/app.js',
  '/console/../../package.json',
  '/%2e%2e/package.json',
  '/app.js/',
  '//app.js',
  '/app.js%00.html',
  '/constructor',
  '/__proto__',
  '/call/../../etc/passwd',
  '/etc/passwd',
])('the console returns 404 for %s', async (path) => {
  const served = await openConsole();
  const cookie = await entered(served);
  const { status, body } = await ask(served.port, `GET ${path}`, [cookie]);
  expect({ status, code: (JSON.parse(body) as { code: string }).code }).toEqual({
    status: 404,
    code: 'FOOTBRIDGE_NOT_FOUND',
  });
});

it('the console answers the first of several requests on a connection, and closes', async () => {
  const bridge = playedBridge();
  const served = await openConsole(bridge);
  const cookie = await entered(served);
  const head = `Host: 127.0.0.1:${served.port}\r\n${cookie}\r\n`;
  const post = `${CALL} HTTP/1.1\r\n${head}${ownLines(served.port).join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`;
  const { whole } = await sent(served.port, `GET /app.js HTTP/1.1\r\n${head}\r\n${post}${post}`);
  expect(whole.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(bridge.called).toEqual([]);
});

it('the console serves a user beside a thousand silent connections, and closes those', async () => {
  const served = await openConsole();
  const cookie = await entered(served);
  const silent = await Promise.all(Array.from({ length: 1000 }, () => connected(served.port)));
  const half = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nX-Slow: `;
  for (const socket of silent) socket.write(half);
  expect((await ask(served.port, 'GET /', [cookie])).status).toBe(200);
  await expect.poll(() => silent.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(64);
});

it('the console limits the time for a head, a body and a slow reader', async () => {
  const served = await openConsole(playedBridge(), {
    receiveMs: 200,
    readFile: () => Buffer.alloc(32 * 1024 * 1024),
  });
  const cookie = await entered(served);
  const head = `HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n${cookie}\r\n`;
  const own = ownLines(served.port).join('\r\n');
  for (const part of [`GET / ${head}`, `${CALL} ${head}${own}\r\nContent-Length: 9\r\n\r\n{`]) {
    const socket = await connected(served.port);
    socket.write(part);
    expect((await said(socket)).status).toBe(408);
  }
  const reader = await connected(served.port);
  reader.write(`GET /app.js ${head}\r\n`);
  // A second more, in which it could still take the rest.
  await delay(1500);
  expect((await said(reader)).whole.length).toBeLessThan(32 * 1024 * 1024);
});

it('the console rejects a head above 8 KiB', async () => {
  const served = await openConsole();
  expect((await ask(served.port, 'GET /', [`X: ${'x'.repeat(9000)}`])).whole).toBe(REFUSAL);
});

it.each([
  ['no request', 'hello\r\n\r\n'],
  ['a version that does not exist', 'GET / HTTP/9.9\r\n\r\n'],
  ['a body of two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ['a condition that nobody knows', 'POST / HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
])('the console refuses %s with the constant response', async (_what, bytes) => {
  const served = await openConsole();
  expect((await sent(served.port, bytes)).whole).toBe(REFUSAL);
});

it('the console sends events to eight pages, and refuses the ninth with the reason', async () => {
  const served = await openConsole();
  const cookie = await entered(served);
  const head = `Host: 127.0.0.1:${served.port}\r\n${cookie}\r\n\r\n`;
  const pages = await Promise.all(Array.from({ length: 8 }, () => connected(served.port)));
  for (const page of pages) page.write(`GET /events HTTP/1.1\r\n${head}`);
  await Promise.all(pages.map((page) => new Promise((resolve) => page.once('data', resolve))));
  const { status, body } = await ask(served.port, 'GET /events', [cookie]);
  expect(status).toBe(503);
  expect(body).toContain('At most 8 pages');
  pages[0]?.destroy();
  await expect
    .poll(async () => {
      const page = await connected(served.port);
      page.write(`GET /events HTTP/1.1\r\n${head}`);
      const first = String(await new Promise((resolve) => page.once('data', resolve)));
      return first.slice(9, 12);
    })
    .toBe('200');
});

it('the console survives a page that disconnects in the middle of a response', async () => {
  const served = await openConsole();
  const cookie = await entered(served);
  for (let round = 0; round < 20; round++) {
    const socket = await connected(served.port);
    socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n${cookie}\r\n\r\n`);
    socket.resetAndDestroy();
  }
  await delay(20);
  expect((await ask(served.port, 'GET /', [cookie])).status).toBe(200);
});
