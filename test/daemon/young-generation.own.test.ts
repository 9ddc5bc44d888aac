import { getHeapSpaceStatistics } from 'node:v8';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { growYoungGeneration, youngGeneration } from '../../src/daemon/young-generation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MB = 1024 * 1024;

/** A young generation that doubles at every second collection while its growth is allowed. */
function setUp(doubles = true) {
  const actions: string[] = [];
  let bytes = MB;
  let collections = 0;
  const generation = {
    size: () => bytes,
    setGrowth: (growth: string) => void actions.push(growth),
    collect(what: string) {
      actions.push(what);
      collections += 1;
      if (doubles && actions.at(-2) === 'doubles' && collections % 2 === 0) bytes *= 2;
    },
  };
  return { generation, actions };
}

it('the young generation grows in steps, and V8 may not enlarge it between them', () => {
  const { generation, actions } = setUp();
  growYoungGeneration(generation);
  expect(actions).toEqual(['doubles', 'young', 'fixed']);
  expect(generation.size()).toBe(MB);
  vi.advanceTimersByTime(19);
  expect(actions).toHaveLength(3);
  vi.advanceTimersByTime(10_000);
  expect(generation.size()).toBe(8 * MB);
  expect(actions).toEqual(Array.from({ length: 6 }, () => ['doubles', 'young', 'fixed']).flat());
  growYoungGeneration(generation);
  expect(actions).toHaveLength(18);
});

it('a V8 whose young generation does not grow is not asked for ever', () => {
  const { generation, actions } = setUp(false);
  growYoungGeneration(generation);
  vi.advanceTimersByTime(60_000);
  expect(actions).toHaveLength(3 * 40);
  expect(vi.getTimerCount()).toBe(0);
});

it('the size of the young generation is that of new space', () => {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  expect(youngGeneration(() => {}).size()).toBe(space?.space_size);
});
