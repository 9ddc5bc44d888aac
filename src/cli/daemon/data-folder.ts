import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isLocalError, LocalError, systemCode } from '../../../platform/local-error.ts';
import { acquireLock, type HeldLock, type Lock } from '../../../platform/lock.ts';
import type { CoreOptions } from './cores.ts';

/** Where a core keeps a file that is its own until `release`. */
export type OwnFile =
  | { readonly kind: 'ours'; readonly path: string; readonly release: () => void }
  /** What is in the file holds, but nothing may be written: somebody else might write at the same time. */
  | { readonly kind: 'read-only'; readonly path: string; readonly reason: string }
  /** There is no place to keep it. */
  | { readonly kind: 'nowhere' };

/**
 * Two bridges that write one file would lose each other's entries, so the second one does not start: `LocalError`
 * FOOTBRIDGE_DATA_TAKEN. A folder that cannot be written or used is only a warning. `keeps` names what is in the file.
 */
export async function ownFile(
  { data, os, logger }: Pick<CoreOptions, 'data' | 'os' | 'logger'>,
  name: string,
  keeps: string,
): Promise<OwnFile> {
  if (data.kind === 'memory') return { kind: 'nowhere' };
  const warn = (text: string, error: unknown): string => {
    const reason = reasonOf(error);
    logger.warn({ path: data.path, reason }, text);
    return reason;
  };
  try {
    await mkdir(data.path, { recursive: true, mode: 0o700 });
    if (os.uid !== undefined) await keepOthersOut(data.path, os.uid);
  } catch (error) {
    warn(`data folder not used: ${keeps} are lost at the end`, error);
    return { kind: 'nowhere' };
  }
  const path = join(data.path, `${name}.json`);
  let lock: Lock | HeldLock;
  try {
    lock = await acquireLock(join(data.path, `${name}.lock`), os.native);
  } catch (error) {
    const reason = warn(`data folder only read: what changes in the ${keeps} is lost at the end`, error);
    return { kind: 'read-only', path, reason };
  }
  if (lock.kind === 'locked') return { kind: 'ours', path, release: () => lock.release() };
  const who = lock.heldBy === undefined ? '' : ` (pid ${lock.heldBy})`;
  throw new LocalError(
    'FOOTBRIDGE_DATA_TAKEN',
    `Another Footbridge${who} keeps its ${keeps} in ${data.path}. Stop it, or give this one a --data-dir of its own.`,
  );
}

function reasonOf(error: unknown): string {
  const code = isLocalError(error) ? undefined : systemCode(error);
  return code ?? (error instanceof Error ? error.message : String(error));
}

/** Whoever may write to the folder could put a file of grants in the place of ours. */
async function keepOthersOut(path: string, uid: number): Promise<void> {
  const status = await stat(path);
  if (status.uid !== uid) throw new Error(`it belongs to another user (uid ${status.uid})`);
  if ((status.mode & 0o022) !== 0) await chmod(path, status.mode & 0o7755);
}
