import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import {
  type ConnectionLimits,
  limitConnections,
  withoutNodesTimes,
} from '../../src/loopback/connection-limit.ts';
import { eventually } from '../helpers/eventually.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const HALF = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf';

/** A server that answers when told to, and at once unless `slow`. */
async function limited({
  slots: places = 4,
  receiveMs = 60_000,
  slow = false,
}: Partial<ConnectionLimits & { slow: boolean }>) {
  const waiting: (() => void)[] = [];
  const server = createServer(withoutNodesTimes, (request, response) => {
    request.resume();
    if (!slow) return void response.end('done');
    waiting.push(() => response.end('done'));
  });
  const limit = limitConnections(server, { slots: places, receiveMs });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const peer = () => peerOf(server);
  return { server, limit, waiting, peer };
}

async function peerOf(server: Server) {
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    say: (bytes: string) => void socket.write(bytes),
    answers: () => text.split('done').length - 1,
    closed,
    isOpen: () => !socket.destroyed,
  };
}

it.each([
  ['nothing', ''],
  ['half a head', 'GET / HT'],
  ['half a body', HALF],
  ['a whole request, and was answered,', GET],
])('a peer that sent %s is closed to make room, the longest waiting first', async (_what, said) => {
  const { peer } = await limited({ slots: 4 });
  const silent = [];
  for (let i = 0; i < 6; i++) {
    const one = await peer();
    one.say(said);
    if (said === GET) await eventually(() => expect(one.answers()).toBe(1));
    silent.push(one);
  }
  await Promise.all([silent[0]?.closed, silent[1]?.closed]);
  const honest = await peer();
  honest.say(GET);
  await eventually(() => expect(honest.answers()).toBe(1));
  await silent[2]?.closed;
  expect(silent.map(({ isOpen }) => isOpen())).toEqual([false, false, false, true, true, true]);
});

it.each([
  { behind: 'nothing', more: '', inAll: 1 },
  { behind: 'a request that was answered first', more: GET, inAll: 2 },
  { behind: 'half a request', more: HALF, inAll: 1 },
])(
  'a peer that waits for an answer, with $behind behind it, retains its slot, and a further connection is closed',
  async ({ more, inAll }) => {
    const { peer, waiting } = await limited({ slots: 2, slow: true });
    const served = [];
    const answers: ((() => void) | undefined)[] = [];
    for (const _ of [1, 2]) {
      const one = await peer();
      one.say(GET + more);
      await eventually(() => expect(waiting).toHaveLength(more === '' ? 1 : 2));
      const [first, second] = waiting.splice(0);
      if (more === GET) second?.();
      answers.push(first);
      served.push(one);
    }
    await (await peer()).closed;
    for (const answer of answers) answer?.();
    for (const one of served) await eventually(() => expect(one.answers()).toBe(inAll));
    // The places are to be had again.
    const next = await peer();
    next.say(GET);
    await eventually(() => expect(waiting).toHaveLength(1));
  },
);

it('a peer that was answered outside of the response and does not leave is closed to make room', async () => {
  const server = createServer(withoutNodesTimes, ({ socket }) => void socket.end('done'));
  limitConnections(server, { slots: 1, receiveMs: 60_000 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const staying = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  onTestFinished(() => void staying.destroy());
  staying.on('error', () => {}).write(GET);
  await new Promise((resolve) => staying.once('data', resolve));
  const honest = await peerOf(server);
  honest.say(GET);
  await eventually(() => expect(honest.answers()).toBe(1));
});

it.each([
  ['nothing', ''],
  ['half a body', HALF],
])('a peer that sent %s is closed at its receive deadline', async (_what, said) => {
  const { peer } = await limited({ receiveMs: 100 });
  const silent = await peer();
  silent.say(said);
  await silent.closed;
});

it('bytes that arrive one by one do not extend the receive deadline', async () => {
  const { peer } = await limited({ receiveMs: 200 });
  const dripping = await peer();
  dripping.say('GET / HTTP/1.1\r\nHost: x\r\nX-Drip: ');
  const drip = setInterval(() => dripping.say('a'), 20);
  await dripping.closed;
  clearInterval(drip);
});

it.each([
  ['the only one', GET, 1],
  ['one before another that was answered first', GET + GET, 2],
])('the receive deadline does not cut an answer that our side delays: %s', async (_what, said, inAll) => {
  const { peer, waiting } = await limited({ receiveMs: 50, slow: true });
  const patient = await peer();
  patient.say(said);
  await eventually(() => expect(waiting).toHaveLength(inAll));
  waiting[1]?.();
  await new Promise((resolve) => setTimeout(resolve, 200));
  waiting[0]?.();
  await eventually(() => expect(patient.answers()).toBe(inAll));
});

it('the receive deadline waits for a body that our side has not begun to read', async () => {
  const server = createServer(withoutNodesTimes);
  limitConnections(server, { slots: 4, receiveMs: 1000 });
  server.on('request', (request, response) => {
    // After two deadlines.
    setTimeout(() => request.resume().once('end', () => response.end('done')), 2500);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const patient = await peerOf(server);
  // More than Node reads by itself.
  const length = 256 * 1024;
  patient.say(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`);
  await eventually(() => expect(patient.answers()).toBe(1));
});

it('a request that arrived while this process was busy is answered after its deadline', async () => {
  const { peer, server } = await limited({ receiveMs: 50 });
  const connected = new Promise((resolve) => server.once('connection', resolve));
  const one = await peer();
  await connected;
  one.say(GET);
  const end = performance.now() + 200;
  while (performance.now() < end);
  await eventually(() => expect(one.answers()).toBe(1));
});

it('a connection that was released from the limit is not closed and occupies no slot', async () => {
  const { server, limit, peer } = await limited({ slots: 1, receiveMs: 100 });
  const released = new Promise<void>((resolve) => {
    server.on('upgrade', (_request, socket) => {
      limit.release(socket as Socket);
      resolve();
    });
  });
  const upgraded = await peer();
  upgraded.say('GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
  await released;
  const silent = await peer();
  await silent.closed;
  expect(upgraded.isOpen()).toBe(true);
});
