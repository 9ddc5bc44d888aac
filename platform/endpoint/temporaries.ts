import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOf, removeIfStill, TEMPORARY_NAME } from '../files/inode.ts';
import { probeEndpoint } from './probe.ts';

/** Time limit of the probe (ms). A listener at a temporary name is about to publish it, so a short wait is enough. */
const PROBE_MS = 100;

/**
 * Removes the temporary sockets that our killed processes left in the endpoint folder. A socket with a listener, a
 * socket of another user, and any other kind of file stays.
 */
export async function removeDeadTemporaries(folder: string, uid: number): Promise<void> {
  for (const name of namesIn(folder).filter((entry) => TEMPORARY_NAME.test(entry))) {
    const path = join(folder, name);
    // The owner is checked before the connect, because another user's sockets in a shared folder must not delay our
    // start.
    if (Number(lstatOf(path)?.uid ?? -1n) !== uid) continue;
    const found = await probeEndpoint(path, { timeoutMs: PROBE_MS });
    if (found.kind === 'stale') removeIfStill(path, found.identity);
  }
}

/** Returns the names in a folder; none for a folder that cannot be listed, which may still permit a bind. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
