import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Admission } from '../../src/server/admission.ts';
import type { ConnectionSlot } from '../../src/server/connection-slots.ts';
import { createBudgets } from '../../src/session/flow-control.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import type { Connection } from '../../src/wire/connection.ts';
import { AppPeer, CLIENT_ID } from '../helpers/app-peer.ts';
import { ipcBridge, os } from '../helpers/ipc-bridge.ts';
import { byOtherProcess } from '../helpers/other-process.ts';
import { rawPeer } from '../helpers/raw-peer.ts';

/** A connection of a process. */
let seats = 0;
const from = (pid?: number): ConnectionSlot => {
  seats += 1;
  const known = pid === undefined || pid === 0 ? undefined : pid;
  const actor = known === undefined ? `session ${seats}` : `pid ${known}`;
  return {
    id: `${seats}`,
    actor,
    pid: known,
    connection: {} as Connection,
    welcome: {},
    entrance: undefined,
    session: undefined,
  };
};

describe('connects of one process', () => {
  function setUp(burst: number, perSecond: number, msEach = 0) {
    const served: ConnectionSlot[] = [];
    // Rates and waits by a clock of their own, whatever else the process has done or still does.
    let now = 0;
    const waits = new Set<{ readonly due: number; readonly task: () => void }>();
    const after = (ms: number, task: () => void): (() => void) => {
      const wait = { due: now + ms, task };
      waits.add(wait);
      return () => void waits.delete(wait);
    };
    const limits = { ...defaultLimits, connectsBurst: burst, connectsPerSecond: perSecond };
    let serving = 0;
    const budgets = createBudgets(limits);
    const serve = (seat: ConnectionSlot): void => {
      // As a session does.
      budgets.accounts.join(seat.actor, limits);
      budgets.scheduler.join(seat.actor);
      served.push(seat);
      serving += msEach;
    };
    const admission = new Admission(budgets, limits, serve, {
      now: () => now + serving,
      after,
    });
    const advance = (ms: number): void => {
      now += ms;
      const due = [...waits].filter((wait) => wait.due <= now).sort((a, b) => a.due - b.due);
      for (const wait of due) {
        waits.delete(wait);
        wait.task();
      }
    };
    const connect = (pid?: number, seat = from(pid)) => admission.enter(seat);
    const newlyServed = async (): Promise<number> => {
      for (let turn = 0; turn < 400; turn++) await nextTurn();
      return served.splice(0).length;
    };
    return { admission, connect, newlyServed, served, advance };
  }

  it('are served at once up to 2,000, and later ones wait [T44]', async () => {
    const { admission, connect, newlyServed, advance } = setUp(2000, 500);
    for (let i = 0; i < 2000; i++) connect(7);
    expect(await newlyServed()).toBe(2000);
    connect(7);
    connect(7);
    advance(1);
    expect([await newlyServed(), admission.waiting]).toEqual([0, 2]);
    advance(1);
    expect([await newlyServed(), admission.waiting]).toEqual([1, 1]);
    advance(2);
    expect([await newlyServed(), admission.waiting]).toEqual([1, 0]);
    // A second pays 500.
    advance(1000);
    for (let i = 0; i < 501; i++) connect(7);
    expect(await newlyServed()).toBe(500);
  });

  it('count for their process, and are not limited where the system names no process', async () => {
    const { connect, newlyServed } = setUp(1, 1);
    for (const pid of [7, 8, 7]) connect(pid);
    expect(await newlyServed()).toBe(2);
    for (const unnamed of [undefined, 0]) for (let i = 0; i < 10; i++) connect(unnamed);
    expect(await newlyServed()).toBe(20);
  });

  it('wait in a storm, while another process is served at once [T44]', async () => {
    const { admission, connect, newlyServed, advance } = setUp(10, 100);
    for (let i = 0; i < 200; i++) connect(7);
    expect([await newlyServed(), admission.waiting]).toEqual([10, 190]);
    expect([admission.isWaiting('pid 7'), admission.isWaiting('pid 8')]).toEqual([true, false]);
    connect(8);
    expect(await newlyServed()).toBe(1);
    advance(1000);
    expect([await newlyServed(), admission.waiting]).toEqual([100, 90]);
  });

  it('can be cancelled while they wait, one by one or all together', async () => {
    const { admission, connect, newlyServed, served, advance } = setUp(1, 1);
    const [first, oldest, next, last] = [from(7), from(7), from(7), from(7)];
    for (const seat of [first, oldest, next, last]) if (seat) connect(7, seat);
    expect(served).toEqual([first]);
    expect([admission.lastWaiting('pid 7'), admission.lastWaiting('pid 8')]).toEqual([last, undefined]);
    if (last) admission.cancel(last);
    expect(admission.lastWaiting('pid 7')).toBe(next);
    expect(admission.clear()).toEqual([oldest, next]);
    expect(admission.waiting).toBe(0);
    await newlyServed();
    advance(10_000);
    expect(await newlyServed()).toBe(0);
  });

  it('use their part of a turn, and those of other processes do not wait for them', async () => {
    // Each takes an eighth of a turn.
    const { admission, connect, served, advance } = setUp(2000, 500, 0.25);
    for (let i = 0; i < 300; i++) connect(7);
    expect(served).toHaveLength(8);
    connect(8);
    connect();
    connect(8);
    expect(served.slice(8).map(({ pid }) => pid)).toEqual([8, undefined, 8]);
    await nextTurn();
    // Three processes were active, so each has a third of the turn.
    expect(served.slice(11).map(({ pid }) => pid)).toEqual([7, 7, 7]);
    expect(admission.waiting).toBe(303 - 14);
    // One of whoever has most, where anybody has to go.
    expect(admission.lastWaiting()?.pid).toBe(7);
    for (const seat of admission.clear()) expect(seat.pid).toBe(7);
    advance(1000);
    expect(served).toHaveLength(14);
  });

  it('are forgotten once many processes have connected, but not while their process is in debt', async () => {
    const { admission, connect, newlyServed } = setUp(1, 0.001);
    connect(1);
    connect(1);
    for (let pid = 2; pid < 2000; pid++) connect(pid);
    connect(1);
    await newlyServed();
    expect(admission.waiting).toBe(2);
    admission.clear();
  });
});

const THIS = { limits: { connectsBurst: 2, connectsPerSecond: 0.001 } };
const skipped = os.native.kind === 'absent';

it.skipIf(skipped)(
  'a server holds back a connect beyond the limit of its process (needs koffi) [T44]',
  async () => {
    // A debt that no test lives to see paid.
    const { app, raw, server } = await ipcBridge(THIS);
    const served = [await app(), await app()];
    const waiting = new AppPeer(await raw());
    waiting.send(0, { v: 1, client_id: CLIENT_ID });
    for (const one of served) expect((await one.call('GET_GUILDS')).evt).toBeNull();
    expect(await waiting.rest()).toEqual([]);
    expect(server.counters()).toMatchObject({ accepted: 2, sessions: 2, refused: 0 });
    // Who waits hears of the end as the others do.
    await server.drain();
    expect((await waiting.closed()).code).toBe(1000);
  },
);

it.skipIf(skipped)('waiting connects use slots of their own process alone (needs koffi) [T44]', async () => {
  const { app, path, raw, server } = await ipcBridge({ limits: { ...THIS.limits, connections: 6 } });
  const one = await app();
  await app();
  const [waiting, beyond] = [new AppPeer(await raw()), new AppPeer(await raw())];
  expect(await beyond.next()).toBeUndefined();
  expect(server.counters()).toMatchObject({ refused: 1, sessions: 2 });
  const elsewhere = new AppPeer(await rawPeer(await byOtherProcess(path)));
  await elsewhere.handshake();
  for (const ready of [one, elsewhere]) expect((await ready.call('GET_GUILDS')).evt).toBeNull();
  expect(await waiting.rest()).toEqual([]);
});
