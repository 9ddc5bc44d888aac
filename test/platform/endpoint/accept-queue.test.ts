import { once } from 'node:events';
import { connect, type Server, Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECK_EVERY, drainAcceptQueue } from '../../../platform/endpoint/accept-queue.ts';
import type { AcceptedSocket } from '../../../platform/native/accepted-socket.ts';
import { loadNative, type Native } from '../../../platform/native/native.ts';
import { eventually } from '../../helpers/eventually.ts';
import { listenOn, temporaryFolder } from '../../helpers/sockets.ts';

const native = await loadNative();
const isUnable = native.kind === 'absent' || native.acceptWaiting === undefined;

/** A server that tells what it is handed, and in which turn of the event loop. */
async function drained(): Promise<{ path: string; server: Server; handed: Socket[]; turns: Set<number> }> {
  const path = join(temporaryFolder(), 's');
  const handed: Socket[] = [];
  const turns = new Set<number>();
  let turn = 0;
  const server = await listenOn({ path }, (socket) => {
    handed.push(socket);
    turns.add(turn);
    setImmediate(() => {
      turn += 1;
    });
  });
  // The clock stands still, so that no turn ends for a busy machine.
  drainAcceptQueue(server, native, { now: () => 0 });
  return { path, server, handed, turns };
}

/** A system call each, before the server's next turn. */
function hangUpAtOnce(path: string, count: number): void {
  for (let made = 0; made < count; made += 1)
    connect(path)
      .on('error', () => {})
      .destroy();
}

it.skipIf(isUnable)(
  'drainAcceptQueue delivers all open connections in one turn, and no closed one (needs native calls)',
  async () => {
    const { path, handed, turns, server } = await drained();
    // The next connection is the one with which the queue is looked at.
    for (let made = 0; made < CHECK_EVERY - 1; made += 1) server.emit('connection', new Socket());
    handed.splice(0);
    turns.clear();
    const alive = connect(path);
    hangUpAtOnce(path, 100);
    const second = connect(path);
    second.end('said before it left');
    hangUpAtOnce(path, 100);
    const third = connect(path);
    await eventually(() => expect(handed).toHaveLength(3));
    expect(turns.size).toBe(1);
    const [first, parting] = handed;
    expect((await once(parting as Socket, 'data')).toString()).toBe('said before it left');
    first?.write('hello');
    expect((await once(alive, 'data')).toString()).toBe('hello');
    for (const socket of [alive, second, third]) socket.destroy();
  },
);

it.skipIf(isUnable)(
  'drainAcceptQueue leaves the rest of many waiting connections to later turns (needs native calls)',
  async () => {
    const { path, handed, turns } = await drained();
    const clients = Array.from({ length: 150 }, () => connect(path));
    await eventually(() => expect(handed).toHaveLength(150));
    expect(turns.size).toBeGreaterThan(1);
    for (const client of clients) client.destroy();
  },
);

it.skipIf(isUnable)(
  'drainAcceptQueue hands over 64 connections a turn for which Node has created nothing (needs native calls)',
  async () => {
    const path = join(temporaryFolder(), 's');
    let events = 0;
    const server = await listenOn({ path }, () => {
      events += 1;
    });
    const taken: AcceptedSocket[] = [];
    const inTurn: number[] = [];
    drainAcceptQueue(server, native, {
      now: () => 0,
      take(socket) {
        if (taken.push(socket) % 64 === 1) {
          const before = taken.length;
          setImmediate(() => inTurn.push(taken.length - before + 1));
        }
      },
    });
    for (let made = 0; made < CHECK_EVERY - 1; made += 1) server.emit('connection', new Socket());
    events = 0;
    const clients = Array.from({ length: 150 }, () => connect(path).on('error', () => {}));
    await eventually(() => expect(taken.length + events).toBe(150));
    // Node itself accepts the one with which the queue is looked at, and one at most in each turn.
    expect(events).toBeLessThan(8);
    expect(inTurn[0]).toBe(64);
    const [first, ...rest] = taken;
    for (const socket of rest) socket.close();
    first?.open().end('served');
    await eventually(() => expect(clients.filter(({ closed }) => closed)).toHaveLength(rest.length));
    for (const client of clients) client.destroy();
  },
);

it.skipIf(isUnable)(
  'drainAcceptQueue applies the options of the server to its sockets (needs native calls)',
  async () => {
    const { path, server, handed } = await drained();
    Object.assign(server, { allowHalfOpen: true, pauseOnConnect: true });
    const clients = [connect(path), connect(path)];
    await eventually(() => expect(handed).toHaveLength(2));
    for (const client of clients) client.end('early');
    expect(handed.map(({ allowHalfOpen, readableFlowing }) => [allowHalfOpen, readableFlowing])).toEqual([
      [true, false],
      [true, false],
    ]);
    for (const socket of handed) {
      socket.resume();
      expect((await once(socket, 'data')).toString()).toBe('early');
      socket.end('late');
    }
    for (const client of clients) {
      expect((await once(client, 'data')).toString()).toBe('late');
      client.destroy();
    }
  },
);

it.skipIf(isUnable)(
  'drainAcceptQueue stops when a connection closes the server (needs native calls)',
  async () => {
    const { path, server, handed } = await drained();
    server.prependOnceListener('connection', () => server.close());
    const clients = [1, 2, 3].map(() => connect(path).on('error', () => {}));
    await eventually(() => expect(handed).toHaveLength(1));
    for (const client of clients) client.destroy();
  },
);

it('drainAcceptQueue leaves the event loop its turns while closed connections arrive without end', async () => {
  const server = await listenOn({ path: join(temporaryFolder(), 's') });
  let taken = 0;
  const acceptWaiting = (): 'left' | undefined => {
    taken += 1;
    return taken < 10_000 ? 'left' : undefined;
  };
  // Each takes a fiftieth of a millisecond.
  drainAcceptQueue(server, { acceptWaiting } as unknown as Native, { now: () => taken / 50 });
  for (let made = 0; made < CHECK_EVERY; made += 1) server.emit('connection', new Socket());
  expect(taken).toBeLessThan(200);
  await eventually(() => expect(taken).toBe(10_000));
});

it('drainAcceptQueue changes nothing without native calls', async () => {
  const path = join(temporaryFolder(), 's');
  const handed: Socket[] = [];
  const server = await listenOn({ path }, (socket) => handed.push(socket));
  drainAcceptQueue(server, { kind: 'absent', reason: 'a test' });
  hangUpAtOnce(path, 5);
  await eventually(() => expect(handed).toHaveLength(5));
});
