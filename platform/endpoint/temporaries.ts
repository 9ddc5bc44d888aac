import { opendirSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOf, removeIfStill, TEMPORARY_NAME } from '../files/inode.ts';
import { probeEndpoint } from './probe.ts';

/** Time limit of the probe (ms). A listener at a temporary name is about to publish it, so a short wait is enough. */
const PROBE_MS = 100;

/**
 * Maximum number of entries that are read, and of sockets that are probed: a program in a sandbox can fill the folder
 * of its endpoint, and must not delay the bridge by that.
 */
const MAX_ENTRIES = 4096;
const MAX_PROBES = 16;

/**
 * Removes the temporary sockets that our killed processes left in the endpoint folder. A socket with a listener, a
 * socket of another user, and any other kind of file stays.
 */
export async function removeDeadTemporaries(folder: string, uid: number): Promise<void> {
  let probes = 0;
  for (const name of namesIn(folder).filter((entry) => TEMPORARY_NAME.test(entry))) {
    const path = join(folder, name);
    const status = lstatOf(path);
    // The owner is checked before the connect, because another user's sockets in a shared folder must not delay our
    // start.
    if (status?.isSocket() !== true || Number(status.uid) !== uid) continue;
    probes += 1;
    if (probes > MAX_PROBES) return;
    const found = await probeEndpoint(path, { timeoutMs: PROBE_MS });
    if (found.kind === 'stale') removeIfStill(path, found.identity);
  }
}

/** Returns the first names in a folder; none for a folder that cannot be listed, which may still permit a bind. */
function namesIn(folder: string): string[] {
  try {
    const entries = opendirSync(folder);
    try {
      const names: string[] = [];
      for (let entry = entries.readSync(); entry && names.length < MAX_ENTRIES; entry = entries.readSync())
        names.push(entry.name);
      return names;
    } finally {
      entries.closeSync();
    }
  } catch {
    return [];
  }
}
