import { existsSync, readFileSync } from 'node:fs';

/** Reads a built file of the page: from beside the program, or, when run from the sources, from the last build. */
export function builtFile(name: string): Uint8Array {
  const beside = new URL(`./console/${name}`, import.meta.url);
  return readFileSync(existsSync(beside) ? beside : new URL(`../../dist/console/${name}`, import.meta.url));
}
