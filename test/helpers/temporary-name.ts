import { basename, dirname, join } from 'node:path';

/** Where the new content of a file under a lock stands until it is whole. */
export function temporaryOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.footbridge.new`);
}
