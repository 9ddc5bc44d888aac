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
