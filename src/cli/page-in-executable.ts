// Stands in for src/console/built-file.ts in the single executable, where nothing lies beside the program.
import { getAsset } from 'node:sea';

/** A file of the console's page out of the executable. */
export function builtFile(name: string): Uint8Array {
  return new Uint8Array(getAsset(`console/${name}`));
}
