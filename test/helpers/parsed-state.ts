import type { StateRows } from '../../src/emulator/compose/fixture/fixture.ts';
import { StateReader } from '../../src/emulator/compose/fixture/state-file.ts';

/** Reads a complete text; see {@link StateReader}. */
export function parseState(text: string, file: string): StateRows {
  const reader = new StateReader(file);
  try {
    reader.write(text);
    return reader.end();
  } catch (error) {
    reader.discard();
    throw error;
  }
}
