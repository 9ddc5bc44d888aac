import { type BigIntStats, chmodSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LocalError, systemCode } from '../../src/base/local-error.ts';
import { systemErrorText } from '../system-error-text.ts';
import { inFolder } from './held-folder.ts';
import { identityOf, isStill, lstatOf } from './inode.ts';

/** Access to an endpoint folder: only this user, or also other users of the machine. */
export type FolderPrivacy = 'private' | 'shared';

/** Source of an endpoint's folder: the environment, or the path of a socket that the user has chosen. */
export type FolderSource = 'runtime' | 'chosen';

/** Remedy for a folder that cannot be made usable. */
const ANOTHER: { readonly [source in FolderSource]: string } = {
  runtime: 'point XDG_RUNTIME_DIR at another folder',
  chosen: 'choose a path in a folder of your own',
};
const STICKY = 0o1000;
const OTHERS_WRITE = 0o022;
const OTHERS_ANY = 0o077;
const OWNER_USES = 0o300;

/**
 * Checks that no other user can create a socket in the endpoint folder or replace ours. `private`: the folder is ours
 * with mode 0700. `shared`: it is ours and others can read it (0755), or it is root's with the sticky bit (`/tmp`,
 * 1777). Throws `LocalError` FOOTBRIDGE_ENDPOINT_FOLDER with mode, owner and remedy for any other folder. `uid` is the
 * user of this process.
 */
export function checkEndpointFolder(
  folder: string,
  uid: number,
  source: FolderSource = 'runtime',
): { privacy: FolderPrivacy } {
  const status = realFolder(folder);
  const owner = Number(status.uid);
  const mode = modeOf(status);
  if (owner === uid && (mode & OTHERS_WRITE) === 0) {
    return { privacy: (mode & OTHERS_ANY) === 0 ? 'private' : 'shared' };
  }
  if (owner === 0 && (mode & STICKY) !== 0) return { privacy: 'shared' };
  throw folderError(
    folder,
    owner === uid
      ? `it has mode ${octal(mode)}, so other users can replace the sockets in it. Run: chmod 0700 ${folder}`
      : `it belongs to uid ${owner} with mode ${octal(mode)}, and we are uid ${uid}. ` +
          `${source === 'runtime' ? 'Point XDG_RUNTIME_DIR at' : 'Choose a path in'} a folder of your own with mode 0700`,
  );
}

/** The path of our own folder in an endpoint folder. */
export function privateFolderIn(endpointFolder: string, uid: number): string {
  return join(endpointFolder, `footbridge-${uid}`);
}

/**
 * Creates our private folder `footbridge-<uid>` next to the sockets if it is missing, and returns its path. It stores
 * locks and other private files. A wrong mode of our own folder is corrected. Throws `LocalError`
 * FOOTBRIDGE_ENDPOINT_FOLDER for a link, another kind of file or another owner.
 */
export function ensurePrivateFolder(endpointFolder: string, uid: number): string {
  const folder = privateFolderIn(endpointFolder, uid);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') {
      const why = systemErrorText(error);
      throw folderError(folder, `it cannot be made: ${why}. ${unusableRemedy(endpointFolder)}`, error);
    }
  }
  const status = realFolder(folder);
  if (Number(status.uid) !== uid) {
    throw folderError(
      folder,
      `it belongs to uid ${status.uid}, and we are uid ${uid}. Ask its owner or an administrator to remove it`,
    );
  }
  if (modeOf(status) !== 0o700) repairMode(folder, status);
  return folder;
}

/** Corrects the folder's mode. This is also necessary after `mkdir`, when the umask has removed bits that we need. */
function repairMode(folder: string, status: BigIntStats): void {
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    throw folderError(
      folder,
      `its mode cannot be set: ${systemErrorText(error)}. Run: chmod 0700 ${folder}`,
      error,
    );
  }
  // `chmod` follows links, so another check confirms that it changed this folder.
  const after = lstatOf(folder);
  if (after === undefined || modeOf(after) !== 0o700 || !isStill(folder, identityOf(status))) {
    throw folderError(folder, 'it changed while its mode was being repaired. Look who else writes there');
  }
}

/**
 * Returns a `LocalError` FOOTBRIDGE_ENDPOINT_FOLDER for an error of the operating system about an endpoint in the
 * folder.
 */
export function unusableFolder(folder: string, error: unknown, source: FolderSource = 'runtime'): LocalError {
  const mode = modeWithoutAccess(folder, error);
  if (mode !== undefined) {
    const problem = `it has mode ${octal(mode)}, so no socket can be made in it (EACCES). Run: chmod 0700 ${folder}, or ${ANOTHER[source]}`;
    return folderError(folder, problem, error);
  }
  const reason = systemErrorText(error);
  return folderError(
    folder,
    `no socket can be made in it: ${reason}. ${unusableRemedy(folder, source)}`,
    error,
  );
}

/** The mode of a folder that its owner may not write to or search, where that explains the error. */
function modeWithoutAccess(folder: string, error: unknown): number | undefined {
  if (systemCode(error) !== 'EACCES') return undefined;
  try {
    const status = lstatOf(folder);
    // Also for root, which a mode stops where it has no capabilities, as in a sandbox.
    if (status?.isDirectory() !== true || Number(status.uid) !== process.getuid?.()) return undefined;
    const mode = modeOf(status);
    return (mode & OWNER_USES) === OWNER_USES ? undefined : mode;
  } catch {
    return undefined;
  }
}

function unusableRemedy(folder: string, source: FolderSource = 'runtime'): string {
  return `Make ${folder} writable for you, free space on its disk, or ${ANOTHER[source]}`;
}

/**
 * Returns the status of a real folder; throws for a link, however the path is written: `lstat('link/')` alone would
 * follow the link.
 */
function realFolder(folder: string): BigIntStats {
  const status = lstatOf(withoutSystemLink(resolve(folder)));
  if (status === undefined) throw folderError(folder, 'it does not exist. Make it with mode 0700');
  if (status.isSymbolicLink())
    throw folderError(folder, 'it is a symbolic link. Name the real folder instead');
  if (!status.isDirectory())
    throw folderError(folder, 'it is not a folder. Name one, or move that file away');
  const reached = inFolder(folder, (direct) => statSync(direct, { bigint: true }));
  if (reached.dev !== status.dev || reached.ino !== status.ino) {
    throw folderError(folder, 'its path leads through a symbolic link. Name the real folder instead');
  }
  return status;
}

/**
 * Returns the real path of `/tmp` on macOS, which is a link to `/private/tmp`: the only link that the system itself
 * contains and that is no attack.
 */
function withoutSystemLink(folder: string): string {
  return process.platform === 'darwin' && folder === '/tmp' ? '/private/tmp' : folder;
}

function modeOf(status: BigIntStats): number {
  return Number(status.mode & 0o7777n);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

function folderError(folder: string, problem: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_ENDPOINT_FOLDER',
    `The folder ${folder} cannot hold a local endpoint: ${problem}.`,
    { cause },
  );
}
