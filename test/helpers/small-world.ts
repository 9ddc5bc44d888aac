import type { World } from '../../src/emulator/api/world.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { rowsOf } from '../../src/emulator/compose/fixture/fixture.ts';
import { platformWorld } from '../../src/emulator/compose/platform-world.ts';
import { silentLog } from '../../src/emulator/kernel/log.ts';

/** The tables of the built-in fixture, with nothing around them. */
export function smallWorld(): World {
  return platformWorld(rowsOf(defaultFixture()), silentLog);
}
