import { expect, it } from 'vitest';
import { Replay, ReplayRoom } from '../../../../src/emulator/serve/gateway/replay.ts';

const EVENT = 'x'.repeat(936);

function fill(replay: Replay, count: number): void {
  for (let at = 0; at < count; at += 1) replay.add('NUDGE', EVENT);
}

it('a session that missed many events does not shorten the replay of another session [W-2]', () => {
  const room = new ReplayRoom(100_000);
  const greedy = new Replay(room, 80_000);
  const modest = new Replay(room, 80_000);
  fill(greedy, 200);
  fill(modest, 40);
  expect(modest.after(0)).toHaveLength(40);
  expect(greedy.after(120)).toBeUndefined();
  expect(greedy.after(190)).toHaveLength(10);
  expect(room.taken).toBeLessThanOrEqual(room.maxBytes);
  greedy.clear();
  modest.clear();
  expect(room.taken).toBe(0);
});

/** Numbers of the events that a replay still has after one. */
const after = (replay: Replay, seq: number) => replay.after(seq)?.map(({ data }) => data);

it('a replay has the events after a number until they are acknowledged', () => {
  const replay = new Replay(new ReplayRoom(10_000), 10_000);
  for (const data of ['1', '2', '3', '4']) replay.add('NUDGE', data);
  expect(after(replay, 0)).toEqual(['1', '2', '3', '4']);
  expect(after(replay, 4)).toEqual([]);
  replay.acknowledge(2);
  expect(after(replay, 1)).toBeUndefined();
  expect(after(replay, 2)).toEqual(['3', '4']);
  replay.acknowledge(1);
  expect(after(replay, 2)).toEqual(['3', '4']);
  replay.acknowledge(100);
  expect([after(replay, 3), after(replay, 4), replay.bytes]).toEqual([undefined, [], 0]);
  replay.add('NUDGE', '5');
  expect(after(replay, 4)).toEqual(['5']);
});

it('a replay keeps as many bytes as it may, with 64 for each event beside its text', () => {
  const room = new ReplayRoom(10_000);
  const replay = new Replay(room, 4000);
  fill(replay, 4);
  expect([replay.bytes, room.taken, replay.after(0)?.length]).toEqual([4000, 4000, 4]);
  fill(replay, 1);
  expect([replay.bytes, room.taken, replay.after(0), replay.after(1)?.length]).toEqual([
    4000,
    4000,
    undefined,
    4,
  ]);
});

it('the largest replay is halved when all together are too large', () => {
  const room = new ReplayRoom(10_000);
  const [small, large] = [new Replay(room, 20_000), new Replay(room, 20_000)];
  fill(small, 4);
  fill(large, 6);
  expect([small.bytes, large.bytes]).toEqual([4000, 6000]);
  fill(small, 1);
  expect([small.bytes, large.bytes]).toEqual([5000, 3000]);
  large.clear();
  fill(small, 6);
  expect([small.bytes, large.bytes, room.taken]).toEqual([5000, 0, 5000]);
});
