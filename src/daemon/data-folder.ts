import { accessSync, constants, lstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, ownerFault } from '../../platform/files/private-file.ts';
import { acquireLock, type HeldLock, type Lock, pidText } from '../../platform/native/lock.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import type { CoreOptions } from './core-options.ts';

/** Place of a file that belongs to one core until `release`. */
export type OwnFile =
  | { readonly kind: 'ours'; readonly path: string; readonly release: () => void }
  /**
   * The content of the file is valid, but must not be written, because another process might write it at the same time.
   */
  | { readonly kind: 'read-only'; readonly path: string; readonly reason: string }
  /** No folder can store the file; without `reason` none is wanted. */
  | { readonly kind: 'nowhere'; readonly reason: string | undefined };

const STICKY = 0o1000;
const OTHERS_WRITE = 0o022;

/**
 * Returns the data folder, and creates a missing one for this user alone. An existing folder is never changed:
 * `LocalError` FOOTBRIDGE_DATA describes its problem and the remedy. Without a usable default folder the bridge runs
 * and stores no data; a folder that the user chose must be usable.
 */
export function dataFolder({
  data,
  os,
  logger,
}: Pick<CoreOptions, 'data' | 'logger'> & {
  readonly os: Pick<CoreOptions['os'], 'uid'>;
}): CoreOptions['data'] {
  if (data.kind === 'memory') return data;
  const { path } = data;
  const chosen = data.chosen === true;
  const problem =
    makingFault(path) ?? foreignFault(path, os.uid) ?? (chosen ? writingFault(path) : undefined);
  if (problem === undefined) {
    refuseShared(path, os.uid);
    return data;
  }
  if (chosen) throw unusable(path, `${problem}. Give another one with --data-dir`);
  logger.warn({ path, reason: problem }, 'data folder not used: grants and tokens are lost at the end');
  return { kind: 'memory', reason: `the data folder ${path} cannot be used: ${problem}` };
}

function makingFault(path: string): string | undefined {
  try {
    makeFolder(path);
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' || code === 'ENOTDIR') return 'it, or what is above it, is no folder';
    return `it cannot be made: ${systemErrorText(error)}`;
  }
}

/**
 * Checks the owners of the folder and of a link to it, because either owner decides the content. Returns the problem,
 * or undefined.
 */
function foreignFault(path: string, uid: number | undefined): string | undefined {
  const fault = (status: Stats): string | undefined => ownerFault({ uid: status.uid, mode: 0 }, uid);
  const link = fault(lstatSync(path));
  if (link !== undefined) return link;
  const { uid: owner } = statSync(path);
  return uid === undefined || owner === uid ? undefined : `it belongs to another user (uid ${owner})`;
}

function writingFault(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `it cannot be written to: ${systemErrorText(error)}`;
  }
}

/** Throws for a folder that other users may write to, because they could replace the file of grants. */
function refuseShared(path: string, uid: number | undefined): void {
  const mode = statSync(path).mode & 0o7777;
  if (uid === undefined || (mode & OTHERS_WRITE) === 0) return;
  // A folder with the sticky bit, such as /tmp, must not be closed, so the remedy is a folder below it. Below a folder
  // without the sticky bit others can replace a user's files, so the remedy names no folder there.
  const remedy =
    (mode & STICKY) === 0
      ? `Run: chmod go-w ${path}, or give another one with --data-dir`
      : `Give one of your own with --data-dir, such as ${join(path, 'footbridge')}`;
  const octal = mode.toString(8).padStart(4, '0');
  throw unusable(path, `it has mode ${octal}, so that other users can put files in it. ${remedy}`);
}

function unusable(path: string, problem: string): LocalError {
  return new LocalError('FOOTBRIDGE_DATA', `The data folder ${path} cannot be used: ${problem}.`);
}

/**
 * Opens a file that only one bridge may write: two bridges would lose each other's entries, so the second bridge fails
 * to start with `LocalError` FOOTBRIDGE_DATA_TAKEN. If the lock fails, that is only a warning, except in a folder that
 * the user chose. `contentName` names the content of the file, in a folder that `dataFolder` accepted.
 */
export async function ownFile(
  { data, os, logger, stateFiles }: Pick<CoreOptions, 'data' | 'os' | 'logger' | 'stateFiles'>,
  name: string,
  contentName: string,
): Promise<OwnFile> {
  if (data.kind === 'memory') return { kind: 'nowhere', reason: data.reason };
  const path = join(data.path, `${name}.json`);
  let lock: Lock | HeldLock;
  try {
    // Only a lock file of our own is used, because a folder that the user chose may contain files of others.
    lock = await acquireLock(join(data.path, `${name}.lock`), os.native, { onlyOurs: true });
  } catch (error) {
    const reason = systemErrorText(error);
    if (data.chosen === true) throw unusable(data.path, `${reason}. Give another one with --data-dir`);
    const text = `data folder only read: what changes in the ${contentName} is lost at the end`;
    logger.warn({ path: data.path, reason }, text);
    stateFiles.note(path, { kind: 'failed', reason: `${path} is only read: ${reason}` });
    return { kind: 'read-only', path, reason };
  }
  if (lock.kind === 'locked') return { kind: 'ours', path, release: () => lock.release() };
  throw new LocalError(
    'FOOTBRIDGE_DATA_TAKEN',
    `Another Footbridge${pidText(lock)} keeps its ${contentName} in ${data.path}. Stop it, or give this one a --data-dir of its own.`,
  );
}
