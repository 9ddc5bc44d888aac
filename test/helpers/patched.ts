import type { Transaction, World } from '../../src/emulator/api/world.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { type Fixture, rowsOf, wholeFixture } from '../../src/emulator/compose/fixture/fixture.ts';
import { applyPatch, asPatchError } from '../../src/emulator/compose/fixture/patch.ts';
import { platformWorld } from '../../src/emulator/compose/platform-world.ts';
import { silentLog } from '../../src/emulator/kernel/log.ts';

/** The state that a fixture means. */
export function worldOf(fixture: Fixture = defaultFixture()): World {
  return platformWorld(rowsOf(fixture), silentLog);
}

/** A row that became different. */
export type RowEvent = Transaction['events'][number];

/** What a patch makes of a fixture, and the rows that it makes different. Throws the FixtureError of a patch that is wrong. */
export function patch(fixture: Fixture, change: unknown): { fixture: Fixture; changes: readonly RowEvent[] } {
  const world = worldOf(fixture);
  try {
    const changes = world.changes((tables) => applyPatch(tables, change));
    return { fixture: wholeFixture(world.tables), changes };
  } catch (error) {
    throw asPatchError(error);
  }
}
