import { readdirSync } from 'node:fs';

/** Names in a folder, sorted; empty when the folder cannot be listed. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
