import type { Change } from '../../src/emulator/compose/change.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { type Fixture, rowsOf, wholeFixture } from '../../src/emulator/compose/fixture/fixture.ts';
import { applyPatch, asPatchError } from '../../src/emulator/compose/fixture/patch.ts';
import { type PlatformWorld, platformWorld } from '../../src/emulator/compose/platform-world.ts';
import { silentLog } from '../../src/emulator/kernel/log.ts';

/** The state that a fixture means. */
export function worldOf(fixture: Fixture = defaultFixture()): PlatformWorld {
  return platformWorld(rowsOf(fixture), silentLog);
}

/** What a patch makes of a fixture, and what is told of it. Throws the FixtureError of a patch that is wrong. */
export function patch(fixture: Fixture, change: unknown): { fixture: Fixture; changes: readonly Change[] } {
  const world = worldOf(fixture);
  try {
    const changes = world.changes((tables) => applyPatch(tables, change));
    return { fixture: wholeFixture(world.tables), changes };
  } catch (error) {
    throw asPatchError(error);
  }
}
