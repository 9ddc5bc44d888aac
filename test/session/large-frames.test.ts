import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LargeFrames } from '../../src/session/large-frames.ts';

const LARGE = 4096;

/** Peers that have so many large frames each, every one of which takes so long (ms). */
function setUp(msEach: number) {
  const large = new LargeFrames();
  const taken: string[] = [];
  const peer = (actor: string, frames: number) => {
    let left = frames;
    const waiter = {
      goOn(): void {
        while (left > 0 && large.admits(actor, waiter, LARGE)) {
          left -= 1;
          taken.push(actor);
          large.worked(msEach, LARGE);
        }
      },
    };
    waiter.goOn();
    return waiter;
  };
  const newly = (): string => taken.splice(0).join('');
  return { large, peer, newly };
}

it('a turn ends for large frames after 4 ms of them, and each process has one in turn', async () => {
  const { peer, newly } = setUp(2);
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

it('what is small never waits, and what is large does not while there is time', () => {
  const { large, peer, newly } = setUp(100);
  peer('a', 1);
  peer('a', 1);
  expect(newly()).toBe('a');
  const waiter = { goOn: () => {} };
  for (let i = 0; i < 1000; i++) {
    expect(large.admits('b', waiter, LARGE - 1)).toBe(true);
    large.worked(1, LARGE - 1);
  }
  expect(large.admits('b', waiter, LARGE)).toBe(false);
  expect(new LargeFrames().admits('b', waiter, LARGE)).toBe(true);
});

it('who has left is asked no more', async () => {
  const { large, peer, newly } = setUp(100);
  peer('a', 1);
  const gone = peer('b', 1);
  peer('c', 1);
  large.forget(gone);
  large.forget(gone);
  newly();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(newly()).toBe('c');
});
