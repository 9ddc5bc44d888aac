import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOf, removeIfStill, TEMPORARY_NAME } from '../files/inode.ts';
import { probeEndpoint } from './probe.ts';

/** A listener among the remains is only about to publish; a short wait suffices. */
const PROBE_MS = 100;

/**
 * Removes the temporary sockets that a killed process of ours left in the endpoint folder. A socket with a listener,
 * another user's, and any other kind of file stays.
 */
export async function removeDeadTemporaries(folder: string, uid: number): Promise<void> {
  for (const name of namesIn(folder).filter((entry) => TEMPORARY_NAME.test(entry))) {
    const path = join(folder, name);
    // Before connecting: in a shared folder another user's sockets must not delay our start.
    if (Number(lstatOf(path)?.uid ?? -1n) !== uid) continue;
    const found = await probeEndpoint(path, { timeoutMs: PROBE_MS });
    if (found.kind === 'stale') removeIfStill(path, found.identity);
  }
}

/** A folder that cannot be listed may still permit a bind. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
