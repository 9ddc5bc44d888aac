import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SocketPeer } from '../../src/forward/socket-peer.ts';
import { MAX_WAITING, socketSink } from '../../src/forward/socket-sink.ts';
import { eventually } from '../helpers/eventually.ts';
import { closeAfterTest, temporaryFolder } from '../helpers/sockets.ts';
import { RecordingPeer } from './link/two-links.ts';

/** A sink whose bridge is away: `fail` fails the next connection that is being made. */
function failingSink() {
  const fails: (() => void)[] = [];
  let failed = 0;
  const sink = socketSink(
    () => new Promise((_resolve, reject) => fails.push(() => reject(new Error('away')))),
  );
  const connect = (process: number, count: number): RecordingPeer[] => {
    const apps = Array.from({ length: count }, () => new RecordingPeer());
    for (const app of apps) sink.connect(app, process);
    return apps;
  };
  const fail = async (): Promise<void> => {
    await eventually(() => expect(fails.length).toBeGreaterThan(failed));
    fails[failed]?.();
    failed += 1;
  };
  return { fails, fail, connect };
}

const refused = (apps: readonly RecordingPeer[]): number =>
  apps.filter(({ aborted }) => aborted !== undefined).length;

it('a socket sink makes 64 connections at a time, and the others after them', async () => {
  const { fails, fail, connect } = failingSink();
  const apps = connect(7, 100);
  await eventually(() => expect(fails).toHaveLength(64));
  await fail();
  await eventually(() => expect(fails).toHaveLength(65));
  expect(refused(apps)).toBe(1);
  for (let at = 1; at < 100; at += 1) await fail();
  await eventually(() => expect(apps.every(({ aborted }) => aborted?.includes('away'))).toBe(true));
});

it('a process that connects all the time keeps no other waiting', async () => {
  const { fail, connect } = failingSink();
  connect(7, 500);
  const others = [...connect(8, 1), ...connect(9, 1)];
  // The 64 that are being made, and one more of each process.
  for (let at = 0; at < 67; at += 1) await fail();
  await eventually(() => expect(refused(others)).toBe(2));
});

it.each([
  ['of the process with the most of them', 7, 1],
  ['that comes, where its own process has the most of them', 8, 0],
])('of too many waiting sessions, the newest one %s is refused', async (_which, greedy, kept) => {
  const { connect } = failingSink();
  const crowd = connect(greedy, 64 + MAX_WAITING);
  expect(refused(crowd)).toBe(0);
  const last = connect(8, 1);
  expect([refused(crowd), refused(last)]).toEqual([kept, 1 - kept]);
  expect([...crowd, ...last].find(({ aborted }) => aborted)?.aborted).toContain(
    `${MAX_WAITING} apps that wait`,
  );
  if (kept === 1) expect(crowd.at(-1)?.aborted).toBeDefined();
});

it('a socket sink whose sessions come back by a relay that passes no probe on refuses them after 512', async () => {
  const path = join(temporaryFolder(), 's');
  const sink = socketSink(async () => path);
  let sessions = 0;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    sessions += 1;
    sink.connect(new SocketPeer(socket, 'app'), 7);
  });
  closeAfterTest(server);
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  const app = new RecordingPeer();
  sink.connect(app, 7);
  await eventually(() => expect(String(app.bytes)).toContain('lead back to itself'));
  expect(sessions).toBeLessThanOrEqual(513);
});

it('sessions that the bridge has answered and closed do not raise the number of those that it may leave unanswered', async () => {
  const path = join(temporaryFolder(), 's');
  const sink = socketSink(async () => path);
  let sessions = 0;
  const server = createServer((socket) => {
    sessions += 1;
    if (sessions <= 20) socket.end('x');
  });
  closeAfterTest(server);
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  const connect = (): RecordingPeer => {
    const app = new RecordingPeer();
    sink.connect(app, 7);
    return app;
  };
  const answered = Array.from({ length: 20 }, connect);
  await eventually(() => expect(answered.every(({ hasEnded }) => hasEnded)).toBe(true));
  for (const { partner } of answered) partner?.end();
  for (let at = 0; at < 512; at += 1) connect();
  await eventually(() => expect(sessions).toBe(532));
  await new Promise((resolve) => setImmediate(resolve));
  expect(connect().aborted).toContain('The bridge has not answered 512 sessions of this process.');
});

it('a session counts as unanswered once, in however many parts its answer comes', async () => {
  const path = join(temporaryFolder(), 's');
  const sink = socketSink(async () => path);
  const accepted: Socket[] = [];
  const server = createServer((socket) => void accepted.push(socket.on('error', () => {})));
  closeAfterTest(server);
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  const connect = (): RecordingPeer => {
    const app = new RecordingPeer();
    sink.connect(app, 7);
    return app;
  };
  const talking = connect();
  await eventually(() => expect(accepted).toHaveLength(1));
  for (let part = 1; part <= 5; part += 1) {
    accepted[0]?.write('x');
    await eventually(() => expect(talking.bytes.length).toBe(part));
  }
  for (let at = 0; at < 512; at += 1) connect();
  await eventually(() => expect(accepted).toHaveLength(513));
  await new Promise((resolve) => setImmediate(resolve));
  expect(connect().aborted).toContain('The bridge has not answered 512 sessions of this process.');
});
