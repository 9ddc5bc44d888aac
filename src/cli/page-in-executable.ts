// Replaces src/console/built-file.ts in the single executable, which has no files beside it.
import { getAsset } from 'node:sea';

/** File of the console's page from the executable. */
export function builtFile(name: string): Uint8Array {
  return new Uint8Array(getAsset(`console/${name}`));
}
