import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Scheduler, type Waiter } from '../../src/scheduling/scheduler.ts';

const LARGE = 4096;
const SMALL = 100;

/** Peers that have so many frames each, every one of which takes so long (ms). */
function setUp(msEach: number, bytes = LARGE) {
  const scheduler = new Scheduler();
  const taken: string[] = [];
  const peer = (actor: string, frames: number, name = actor) => {
    let left = frames;
    const claim = scheduler.join(actor);
    const waiter: Waiter = {
      goOn(): void {
        while (left > 0 && scheduler.admits(claim, waiter, bytes)) {
          left -= 1;
          taken.push(name);
          scheduler.spent(claim, msEach, bytes);
        }
      },
    };
    waiter.goOn();
    const add = (more: number): void => {
      left += more;
    };
    return { waiter, claim, add };
  };
  const newly = (): string => taken.splice(0).join('');
  return { scheduler, peer, newly };
}

/** How many each has had: `aab` is `a2 b1`. */
const counted = (taken: string): string =>
  [...new Set(taken)]
    .sort()
    .map((actor) => `${actor}${taken.split(actor).length - 1}`)
    .join(' ');

it('small frames of one process take at most 2 ms per turn [T39]', async () => {
  const { peer, newly } = setUp(0.125, SMALL);
  peer('a', 40);
  expect(newly()).toHaveLength(16);
  await nextTurn();
  expect(newly()).toHaveLength(16);
  await nextTurn();
  expect(newly()).toHaveLength(8);
  await nextTurn();
  expect(newly()).toBe('');
});

it('a connection takes a quarter of the share of its process, so that its other connections do not wait', async () => {
  const { peer, newly } = setUp(0.0625, SMALL);
  const honest = peer('a', 0, 'h');
  peer('a', 1000, 'f');
  expect(newly()).toBe('f'.repeat(8));
  for (let turn = 0; turn < 20; turn++) {
    honest.add(2);
    honest.waiter.goOn();
    expect(newly()).toBe('hh');
    await nextTurn();
    expect(newly()).toBe('f'.repeat(8));
  }
});

it('a connection that works a little now and then never waits beside others of its process', async () => {
  const { scheduler } = setUp(0, SMALL);
  scheduler.join('a');
  const claim = scheduler.join('a');
  const waiter = { goOn: () => expect.unreachable() };
  for (let turn = 0; turn < 100; turn++) {
    for (let frame = 0; frame < 3; frame++) {
      expect(scheduler.admits(claim, waiter, SMALL)).toBe(true);
      scheduler.spent(claim, 0.1, SMALL);
    }
    await nextTurn();
  }
});

it('several processes have equal parts of a turn, and a new one does not wait', async () => {
  const { peer, newly } = setUp(0.0625, SMALL);
  for (const actor of 'abcd') peer(actor, 1000);
  newly();
  await nextTurn();
  // In the first turn each had a whole turn to itself, so each pays that back first.
  for (let turn = 0; turn < 20; turn++) {
    await nextTurn();
  }
  newly();
  for (let turn = 0; turn < 8; turn++) await nextTurn();
  expect(counted(newly())).toBe('a32 b32 c32 d32');
  peer('e', 4);
  expect(newly()).toBe('eeee');
});

it('a process with costly frames has as much time as one with cheap frames, not as many frames', async () => {
  const { scheduler } = setUp(0, SMALL);
  const spentMs = new Map<string, number>();
  const start = (actor: string, ms: number): Waiter => {
    const claim = scheduler.join(actor);
    const waiter: Waiter = {
      goOn(): void {
        while (scheduler.admits(claim, waiter, SMALL)) {
          spentMs.set(actor, (spentMs.get(actor) ?? 0) + ms);
          scheduler.spent(claim, ms, SMALL);
        }
      },
    };
    waiter.goOn();
    return waiter;
  };
  const waiters = [start('cheap', 0.03), start('costly', 3)];
  for (let turn = 0; turn < 300; turn++) await nextTurn();
  for (const waiter of waiters) scheduler.forget(waiter);
  const ratio = (spentMs.get('costly') ?? 0) / (spentMs.get('cheap') ?? 1);
  // By frames it would be 100.
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

it('large frames end a turn after 1 ms, and processes take turns [T40]', async () => {
  const { peer, newly } = setUp(0.6);
  peer('a', 5);
  peer('b', 2);
  peer('c', 1);
  // Two frames pass the limit of the turn.
  expect(newly()).toBe('aa');
  const turns: string[] = [];
  for (let turn = 0; turn < 8; turn++) {
    await nextTurn();
    turns.push(newly());
  }
  expect(turns.join('')).toHaveLength(6);
  for (const taken of turns) expect(taken.length).toBeLessThanOrEqual(2);
  expect(turns.join('').indexOf('c')).toBeLessThan(turns.join('').lastIndexOf('a'));
});

it('small frames do not wait for large ones of another process', () => {
  const { scheduler, peer, newly } = setUp(100);
  peer('a', 1);
  peer('a', 1);
  expect(newly()).toBe('a');
  const claim = scheduler.join('b');
  const waiter = { goOn: () => {} };
  expect(scheduler.admits(claim, waiter, SMALL)).toBe(true);
  expect(scheduler.admits(claim, waiter, LARGE)).toBe(false);
});

it('waiting processes share 1 ms per turn, and each is served in rotation', async () => {
  const crowd = Array.from({ length: 26 }, (_, n) => String.fromCharCode(97 + n));
  const { peer, newly } = setUp(0.25, SMALL);
  for (const actor of crowd) peer(actor, 1000);
  newly();
  const turns: string[] = [];
  for (let turn = 0; turn < 400; turn++) {
    await nextTurn();
    turns.push(newly());
  }
  for (const taken of turns) expect(taken.length).toBeLessThanOrEqual(4);
  const counts = crowd.map((actor) => turns.join('').split(actor).length - 1);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4);
});

it('a process that works a little now and then never waits', async () => {
  const { scheduler, newly } = setUp(0, SMALL);
  const claim = scheduler.join('a');
  const waiter = { goOn: () => expect.unreachable() };
  for (let turn = 0; turn < 100; turn++) {
    for (let frame = 0; frame < 9; frame++) {
      expect(scheduler.admits(claim, waiter, SMALL)).toBe(true);
      scheduler.spent(claim, 0.1, SMALL);
    }
    await nextTurn();
  }
  expect(newly()).toBe('');
});

it('a process in debt has eight small frames per turn while nobody waits, and none once somebody does', async () => {
  const { scheduler, peer, newly } = setUp(100, SMALL);
  peer('a', 20);
  expect(newly()).toHaveLength(8);
  await nextTurn();
  expect(newly()).toHaveLength(8);
  const other = scheduler.join('b');
  scheduler.spent(other, 100, LARGE);
  expect(scheduler.admits(other, { goOn: () => {} }, SMALL)).toBe(false);
});

it('a debt is bounded, because the machine may have been suspended', async () => {
  const { peer, newly } = setUp(3_600_000, LARGE);
  const { waiter, add } = peer('a', 1);
  newly();
  add(1);
  waiter.goOn();
  for (let turn = 0; turn < 25; turn++) await nextTurn();
  expect(newly()).toBe('a');
});

it('a process whose small frame was interrupted waits for a few turns, although 200 processes are active', async () => {
  const { scheduler, peer } = setUp(0.03, SMALL);
  const crowd = Array.from({ length: 200 }, (_, n) => peer(`crowd ${n}`, 100_000).waiter);
  const claim = scheduler.join('a');
  const waiter = { goOn: () => {} };
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  scheduler.spent(claim, 20, SMALL);
  let turns = 0;
  while (!scheduler.admits(claim, waiter, SMALL)) {
    await nextTurn();
    turns += 1;
  }
  for (const one of [...crowd, waiter]) scheduler.forget(one);
  expect(turns).toBeGreaterThan(0);
  expect(turns).toBeLessThan(30);
});

it('a forgotten waiter is not resumed', async () => {
  const { scheduler, peer, newly } = setUp(100);
  peer('a', 1);
  const gone = peer('b', 1);
  peer('c', 1);
  scheduler.forget(gone.waiter);
  scheduler.forget(gone.waiter);
  newly();
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  expect(newly()).toBe('c');
});

it('a share is forgotten with the last connection of its process, but not a debt', async () => {
  const { scheduler } = setUp(0, SMALL);
  const [one, other] = [scheduler.join('a'), scheduler.join('a')];
  expect(one.share).toBe(other.share);
  scheduler.leave(one);
  expect(scheduler.size).toBe(1);
  scheduler.spent(other, 5, LARGE);
  scheduler.leave(other);
  const again = scheduler.join('a');
  expect(again.share.leftMs).toBeLessThan(0);
  scheduler.leave(again);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(scheduler.size).toBe(0);
});
