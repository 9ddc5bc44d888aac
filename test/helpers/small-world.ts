import { defaultFixture } from '../../src/emulator/fixture/default.ts';
import { rowsOf } from '../../src/emulator/fixture/fixture.ts';
import { silentLog } from '../../src/emulator/log.ts';
import { World } from '../../src/emulator/world.ts';

/** The tables of the built-in fixture, with nothing around them. */
export function smallWorld(): World {
  return new World(rowsOf(defaultFixture()), silentLog);
}
