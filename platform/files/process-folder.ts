import { readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holderName, holderNamed } from '../process/holder-name.ts';
import { type Holder, isHolderAlive } from '../process/pid-file.ts';
import { lstatOf } from './inode.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** A folder of one process in the system's temporary folder, with mode 0700. */
export interface ProcessFolder {
  readonly path: string;
  /**
   * Whether the folder still exists. A cleanup may have removed it, and another user may have created one with its
   * name.
   */
  exists(): boolean;
  /** Removes the folder with its content. */
  remove(): void;
}

/**
 * Creates a folder whose name contains the process that uses it, so that {@link removeDeadFolders} finds the folder
 * after a crash. The folder is created with this name, so that it never exists without it. Throws `LocalError`
 * FOOTBRIDGE_CONFIG.
 */
export function makeProcessFolder(kind: string): ProcessFolder {
  const path = makeTemporaryFolder(`${prefixOf(kind)}${holderName()}-`);
  const made = lstatOf(path);
  const exists = (): boolean => {
    const status = lstatOf(path);
    // The birth time is not compared, because a system without birth times reports one that changes with the folder's
    // content.
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
 * Removes the folders of that kind that killed processes of this user left. The folder stays when its process is
 * running or cannot be checked (another PID namespace), when it belongs to another user, and when it is a link. A
 * folder that cannot be removed is left for the next call.
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

/**
 * Returns the process at the end of a folder's name; undefined for another name, and for a process of another PID
 * namespace.
 */
function holderIn(name: string): Holder | undefined {
  const [, holder] = /^(.+)-\w{6}$/.exec(name) ?? [];
  return holder === undefined ? undefined : holderNamed(holder);
}

/** Returns the names in a folder; none for a folder that cannot be listed, which may still permit new folders. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
