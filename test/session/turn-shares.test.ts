import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { newTurnShare } from '../../src/session/turn-share.ts';
import { TurnShares } from '../../src/session/turn-shares.ts';

const LARGE = 4096;
const SMALL = 100;

/** Peers that have so many frames each, every one of which takes so long (ms). */
function setUp(msEach: number, bytes = LARGE) {
  const turns = new TurnShares();
  const shares = new Map<string, ReturnType<typeof newTurnShare>>();
  const taken: string[] = [];
  const peer = (actor: string, frames: number) => {
    let left = frames;
    const share = shares.get(actor) ?? newTurnShare();
    shares.set(actor, share);
    const waiter = {
      goOn(): void {
        while (left > 0 && turns.admits(share, actor, waiter, bytes)) {
          left -= 1;
          taken.push(actor);
          turns.worked(share, msEach, bytes);
        }
      },
    };
    waiter.goOn();
    return waiter;
  };
  const newly = (): string => taken.splice(0).join('');
  return { turns, peer, newly };
}

/** How many each has had: `aab` is `a2 b1`. */
const counted = (taken: string): string =>
  [...new Set(taken)].map((actor) => `${actor}${taken.split(actor).length - 1}`).join(' ');

it('large frames end a turn after 2 ms, and processes alternate by turn [T40]', async () => {
  const { peer, newly } = setUp(1);
  peer('a', 5);
  for (let i = 0; i < 3; i++) peer('a', 1);
  peer('b', 2);
  peer('c', 1);
  expect(newly()).toBe('aa');
  const turns: string[] = [];
  for (let turn = 0; turn < 6; turn++) {
    await nextTurn();
    turns.push(newly());
  }
  // The first peer of `a` goes on for as long as its turn lasts.
  expect(turns).toEqual(['aa', 'bb', 'ca', 'aa', 'a', '']);
});

it('small frames do not wait for large ones, and large ones wait only when the time is used up', () => {
  const { turns, peer, newly } = setUp(100);
  peer('a', 1);
  peer('a', 1);
  expect(newly()).toBe('a');
  const waiter = { goOn: () => {} };
  const share = newTurnShare();
  for (let i = 0; i < 128; i++) {
    expect(turns.admits(share, 'b', waiter, SMALL)).toBe(true);
    turns.worked(share, 1, SMALL);
  }
  expect(turns.admits(share, 'b', waiter, LARGE)).toBe(false);
  expect(new TurnShares().admits(share, 'b', waiter, LARGE)).toBe(true);
});

it('a single process has 128 small frames per turn over all its connections, the rest in later turns [T39]', async () => {
  const { peer, newly } = setUp(0, SMALL);
  peer('a', 200);
  peer('a', 100);
  expect(counted(newly())).toBe('a128');
  await nextTurn();
  expect(counted(newly())).toBe('a128');
  await nextTurn();
  expect(counted(newly())).toBe('a44');
  // It is said no more than needs to be: nothing waits, and no turn is begun.
  await nextTurn();
  expect(newly()).toBe('');
});

it('several processes have equal parts of a turn, and a new one does not wait', async () => {
  const { peer, newly } = setUp(0, SMALL);
  for (const actor of 'abcd') peer(actor, 1000);
  newly();
  await nextTurn();
  expect(counted(newly())).toBe('a32 b32 c32 d32');
  peer('e', 5);
  expect(newly()).toBe('eeeee');
  await nextTurn();
  // Five had something in the turn before.
  expect(counted(newly())).toBe('a25 b25 c25 d25');
});

it('each process has at least eight frames, and waiting ones share at most 2 ms', async () => {
  const crowd = Array.from({ length: 26 }, (_, n) => String.fromCharCode(97 + n));
  const { peer, newly } = setUp(0.1, SMALL);
  for (const actor of crowd) peer(actor, 1000);
  newly();
  const turns: string[] = [];
  for (let turn = 0; turn < 12; turn++) {
    await nextTurn();
    turns.push(newly());
  }
  // Three processes with eight frames of 0.1 ms pass the 2 ms; whoever was left out comes first.
  expect(turns[0]?.length).toBeLessThanOrEqual(24);
  expect(new Set(turns.join('')).size).toBe(26);
});

it('a long frame counts as several: one of 3 KiB as four short ones', () => {
  const { peer, newly } = setUp(0, 3 * 1024);
  peer('a', 100);
  expect(counted(newly())).toBe('a32');
});

it('a process that sends a few frames now and then never waits', async () => {
  const { peer, newly } = setUp(0, SMALL);
  for (let turn = 0; turn < 100; turn++) {
    peer('a', 20);
    expect(newly()).toHaveLength(20);
    await nextTurn();
  }
});

it('a forgotten waiter is not resumed', async () => {
  const { turns, peer, newly } = setUp(100);
  peer('a', 1);
  const gone = peer('b', 1);
  peer('c', 1);
  turns.forget(gone);
  turns.forget(gone);
  newly();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(newly()).toBe('c');
});
