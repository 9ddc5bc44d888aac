import { readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holderName, holderNamed } from '../process/holder-name.ts';
import { type Holder, isHolderAlive } from '../process/pid-file.ts';
import { lstatOf } from './inode.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** A folder in the system's temporary folder for one process, mode 0700. */
export interface ProcessFolder {
  readonly path: string;
  /** Whether the folder still exists: a cleaner may have removed it, and another user may have made one of its name. */
  exists(): boolean;
  /** Removes the folder with its content. */
  remove(): void;
}

/**
 * Makes a folder whose name identifies the process that uses it, so that {@link removeDeadFolders} finds it after a
 * crash. The name is part of the creation: no other process finds the folder without it. Throws `LocalError`
 * FOOTBRIDGE_CONFIG.
 */
export function makeProcessFolder(kind: string): ProcessFolder {
  const path = makeTemporaryFolder(`${prefixOf(kind)}${holderName()}-`);
  const made = lstatOf(path);
  const exists = (): boolean => {
    const status = lstatOf(path);
    // Without the birth time: a system that lacks it reports one that changes with the content of the folder.
    return status?.isDirectory() === true && status.ino === made?.ino && status.uid === made.uid;
  };
  return {
    path,
    exists,
    remove: () => {
      if (exists()) rmSync(path, { recursive: true, force: true });
    },
  };
}

/**
 * Removes the folders of that kind which killed processes of this user left. The folder of a process that runs or is
 * invisible (another PID namespace), another user's, and a link stay. A folder that cannot be removed is left to the
 * next call.
 */
export async function removeDeadFolders(kind: string): Promise<void> {
  for (const name of namesIn(tmpdir())) {
    const holder = name.startsWith(prefixOf(kind)) ? holderIn(name.slice(prefixOf(kind).length)) : undefined;
    if (holder === undefined || isHolderAlive(holder)) continue;
    const path = join(tmpdir(), name);
    const status = lstatOf(path);
    if (status?.isDirectory() !== true) continue;
    if (process.getuid !== undefined && Number(status.uid) !== process.getuid()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

function prefixOf(kind: string): string {
  return `footbridge-${kind}-`;
}

/** The process in the end of a folder's name; undefined for another name, and for one of another PID namespace. */
function holderIn(name: string): Holder | undefined {
  const [, holder] = /^(.+)-\w{6}$/.exec(name) ?? [];
  return holder === undefined ? undefined : holderNamed(holder);
}

/** A folder that cannot be listed may still permit new folders. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
