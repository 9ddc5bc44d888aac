import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalError, systemCode } from '../../../platform/local-error.ts';
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

async function lockFolder(path: string, name: string, { native }: CoreOptions['os']) {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await acquireLock(join(path, `${name}.lock`), native);
  } catch (error) {
    const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
    return { kind: 'unusable', reason } as const;
  }
}
