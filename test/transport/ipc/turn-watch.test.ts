import { describe, expect, it } from 'vitest';
import { TurnWatch } from '../../../src/transport/ipc/turn-watch.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function arrange() {
  const watch = new TurnWatch();
  const looks: string[] = [];
  const watched = (name: string, then?: () => void) => ({
    check(at: number): void {
      looks.push(`${at}: ${name}`);
      then?.();
    },
  });
  return { watch, looks, watched };
}

describe('a watcher that waits for a turn of the event loop', () => {
  it('is checked in that turn, with the number of the turn', async () => {
    const { watch, looks, watched } = arrange();
    expect(watch.add(watched('a'), 2)).toBe(2);
    await turn();
    expect(looks).toEqual([]);
    await turn();
    expect(looks).toEqual(['2: a']);
  });
  it('is checked once, in order with all others of the same turn', async () => {
    const { watch, looks, watched } = arrange();
    for (const [name, turns] of [
      ['late', 3],
      ['a', 1],
      ['b', 1],
    ] as const)
      watch.add(watched(name), turns);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(looks).toEqual(['1: a', '1: b', '3: late']);
  });
  it('is checked in a later turn when a check adds it', async () => {
    const { watch, looks, watched } = arrange();
    watch.add(
      watched('a', () => void watch.add(watched('b'), 1)),
      1,
    );
    await turn();
    expect(looks).toEqual(['1: a']);
    await turn();
    await turn();
    expect(looks).toEqual(['1: a', '2: b']);
  });
  it('is checked once when a check adds it while others wait for later turns', async () => {
    const { watch, looks, watched } = arrange();
    watch.add(
      watched('a', () => void watch.add(watched('b'), 1)),
      1,
    );
    watch.add(watched('c'), 2);
    for (let turns = 0; turns < 4; turns += 1) await turn();
    expect(looks).toEqual(['1: a', '2: c', '2: b']);
  });
});
