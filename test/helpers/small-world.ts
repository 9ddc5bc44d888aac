import { defaultFixture } from '../../src/emulator/fixture/default.ts';
import { rowsOf } from '../../src/emulator/fixture/fixture.ts';
import { silentLog } from '../../src/emulator/log.ts';
import { type PlatformWorld, platformWorld } from '../../src/emulator/platform-world.ts';

/** The tables of the built-in fixture, with nothing around them. */
export function smallWorld(): PlatformWorld {
  return platformWorld(rowsOf(defaultFixture()), silentLog);
}
