import { expect, it } from 'vitest';
import { CloseCode } from '../../src/wire/codes.ts';
import { type AppPeer, CLIENT_ID, settled } from '../helpers/app-peer.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

const GREEDY = 7;
const HONEST = 8;

it('one process can hold half of the connection slots, and no more', async () => {
  const { app, connect, server } = await memoryBridge({ limits: { connections: 16 } });
  const held: AppPeer[] = [];
  for (let i = 0; i < 8; i++) held.push(await app(CLIENT_ID, GREEDY));
  for (let i = 0; i < 20; i++) {
    expect((await connect(GREEDY).closed()).code).toBe(CloseCode.ABNORMAL);
  }
  // Somebody else comes in, and takes nothing from anybody.
  const honest = await app(CLIENT_ID, HONEST);
  for (const one of [...held, honest]) expect((await one.call('GET_GUILDS')).evt).toBeNull();
  expect(server.counters()).toMatchObject({ sessions: 9, refused: 20, dismissed: 0 });
});

it('a full server closes the newest connection of the largest holder, with the reason', async () => {
  const { app, connect, server } = await memoryBridge({ limits: { connections: 8 } });
  const held: AppPeer[] = [];
  for (let i = 0; i < 4; i++) held.push(await app(CLIENT_ID, GREEDY));
  for (let pid = 100; pid < 104; pid++) held.push(await app(CLIENT_ID, pid));
  const honest = await app(CLIENT_ID, HONEST);
  expect(await held[3]?.closed()).toMatchObject({
    code: CloseCode.ABNORMAL,
    message: 'The bridge is at capacity, and this process holds most of its places',
  });
  for (const one of [...held.slice(0, 3), ...held.slice(4), honest]) {
    expect((await one.call('GET_GUILDS')).evt).toBeNull();
  }
  await app(CLIENT_ID, 9);
  await app(CLIENT_ID, 10);
  expect(server.counters()).toMatchObject({ sessions: 8, dismissed: 3, refused: 0 });
  // Now each of them has one, and nobody more than a new one would have.
  expect((await connect(11).closed()).code).toBe(CloseCode.ABNORMAL);
  expect(server.counters()).toMatchObject({ sessions: 8, dismissed: 3, refused: 1 });
});

it('an app can reconnect before the end of its connection is noticed, however many processes are connected', async () => {
  const { app, connect, server } = await memoryBridge({ limits: { connections: 16 } });
  for (let pid = 100; pid < 110; pid++) await app(CLIENT_ID, pid);
  await app(CLIENT_ID, HONEST);
  const again = await app(CLIENT_ID, HONEST);
  expect((await again.call('GET_GUILDS')).evt).toBeNull();
  expect((await connect(HONEST).closed()).code).toBe(CloseCode.ABNORMAL);
  expect(server.counters()).toMatchObject({ sessions: 12, dismissed: 0, refused: 1 });
});

it('every connection has its own share where the system names no process', async () => {
  const { app, connect, server } = await memoryBridge({ limits: { connections: 16 } });
  for (let i = 0; i < 16; i++) await app();
  expect((await connect().closed()).code).toBe(CloseCode.ABNORMAL);
  expect(server.counters()).toMatchObject({ sessions: 16, dismissed: 0, refused: 1 });
});

it('a process that fills its share with silent connections displaces one of them', async () => {
  const { app, connect, server } = await memoryBridge({ limits: { connections: 8 } });
  const silent = Array.from({ length: 4 }, () => connect(GREEDY));
  await settled();
  const ready = await app(CLIENT_ID, GREEDY);
  expect(await silent[0]?.next()).toBeUndefined();
  expect((await ready.call('GET_GUILDS')).evt).toBeNull();
  expect(server.counters()).toMatchObject({ refused: 0 });
});
