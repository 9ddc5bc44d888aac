import { type StateRule, World } from '../api/world.ts';
import type { Log } from '../kernel/log.ts';
import type { RoomLimits } from '../kernel/state/room.ts';
import type { Snapshot } from '../kernel/state/tables.ts';
import { type Kinds, kinds } from '../schema.ts';
import { rules } from './rules.ts';

/**
 * A state of every kind of records with its consistency rules; `more` are rules that depend on the clock.
 * @throws NoRoomError for rows that exceed `limits`.
 */
export function platformWorld(
  rows: Snapshot<Kinds>,
  log: Log,
  more: readonly StateRule[] = [],
  limits?: RoomLimits,
): World {
  return new World({ kinds, rows, rules: [...rules, ...more], log, limits });
}
