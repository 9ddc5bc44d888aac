import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isLocalError, LocalError, systemCode } from '../../../platform/local-error.ts';
import { acquireLock } from '../../../platform/lock.ts';
import type { CoreOptions } from './cores.ts';

/** Where a core keeps a file that is its own until `release`; without a path there is no place to keep it. */
export interface OwnFile {
  readonly path: string | undefined;
  readonly release: () => void;
}

/**
 * Two bridges that write one file would lose each other's entries, so the second one does not start: `LocalError`
 * FOOTBRIDGE_DATA_TAKEN. A folder that cannot be used at all is only a warning. `keeps` names what is in the file.
 */
export async function ownFile(
  { data, os, logger }: Pick<CoreOptions, 'data' | 'os' | 'logger'>,
  name: string,
  keeps: string,
): Promise<OwnFile> {
  const nowhere = { path: undefined, release: () => {} };
  if (data.kind === 'memory') return nowhere;
  const lock = await lockFolder(data.path, name, os);
  if (lock.kind === 'held') {
    const who = lock.heldBy === undefined ? '' : ` (pid ${lock.heldBy})`;
    throw new LocalError(
      'FOOTBRIDGE_DATA_TAKEN',
      `Another Footbridge${who} keeps its ${keeps} in ${data.path}. Stop it, or give this one a --data-dir of its own.`,
    );
  }
  if (lock.kind === 'unusable') {
    const text = `data folder not used: ${keeps} are lost at the end`;
    logger.warn({ path: data.path, reason: lock.reason }, text);
    return nowhere;
  }
  return { path: join(data.path, `${name}.json`), release: () => lock.release() };
}

async function lockFolder(path: string, name: string, { native, uid }: CoreOptions['os']) {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if (uid !== undefined) await keepOthersOut(path, uid);
    return await acquireLock(join(path, `${name}.lock`), native);
  } catch (error) {
    const code = isLocalError(error) ? undefined : systemCode(error);
    const reason = code ?? (error instanceof Error ? error.message : String(error));
    return { kind: 'unusable', reason } as const;
  }
}

/** Whoever may write to the folder could put a file of grants in the place of ours. */
async function keepOthersOut(path: string, uid: number): Promise<void> {
  const status = await stat(path);
  if (status.uid !== uid) throw new Error(`it belongs to another user (uid ${status.uid})`);
  if ((status.mode & 0o022) !== 0) await chmod(path, status.mode & 0o7755);
}
