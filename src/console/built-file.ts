import { existsSync, readFileSync } from 'node:fs';

/** Reads a file of the page from where the build has put it: beside the program, or, from the sources, in what was built. */
export function builtFile(name: string): Uint8Array {
  const beside = new URL(`./console/${name}`, import.meta.url);
  return readFileSync(existsSync(beside) ? beside : new URL(`../../dist/console/${name}`, import.meta.url));
}
