import { type StateRule, World } from '../api/world.ts';
import type { Log } from '../kernel/log.ts';
import type { RoomLimits } from '../kernel/state/room.ts';
import type { Snapshot } from '../kernel/state/tables.ts';
import { type Kinds, kinds } from '../schema.ts';
import { rules } from './rules.ts';

/**
 * A state of every kind of record with all that keeps it true to itself; `more` are rules that go by the time.
 * @throws NoRoomError for rows that take more than `limits` allow.
 */
export function platformWorld(
  rows: Snapshot<Kinds>,
  log: Log,
  more: readonly StateRule[] = [],
  limits?: RoomLimits,
): World {
  return new World({ kinds, rows, rules: [...rules, ...more], log, limits });
}
