import { basename, dirname, join } from 'node:path';
import { LocalError } from '../../src/base/local-error.ts';
import { holdFolder } from '../files/held-folder.ts';
import { lstatOf, temporaryPath } from '../files/inode.ts';
import type { MadeFolders } from '../files/made-folders.ts';
import { checkEndpointFolder, ensurePrivateFolder } from '../files/private-folder.ts';
import { acquireLock } from '../native/lock.ts';
import type { Native, NativeAbsence } from '../native/native.ts';
import { describeProgram, programOf } from '../process/program.ts';
import type { sandboxedProcesses } from '../process/sandboxed-processes.ts';
import type { PathClaim } from './claim.ts';
import { checkPathLength, type OsName } from './endpoints.ts';
import { decideOn } from './obstacle.ts';
import { pathLock } from './path-lock.ts';
import { placeholderAt } from './placeholder.ts';
import { probeEndpoint } from './probe.ts';
import { PublishedSocket, type Target } from './published-socket.ts';
import { removeDeadTemporaries } from './temporaries.ts';

/** Socket at a path that the user has chosen, or that apps in a sandbox expect. */
export interface PathClaimOptions {
  readonly os: OsName;
  /** Absolute path of the socket, or name of a pipe on Windows. */
  readonly path: string;
  /**
   * Folder of the lock files. It must not be the socket's folder, which programs in a sandbox may be able to write to;
   * not used on Windows.
   */
  readonly privateFolder: string | undefined;
  readonly uid: number | undefined;
  readonly native: Native | NativeAbsence;
  /** Makes the socket's folder where the folder above it belongs to this user; absent: the folder must exist. */
  readonly madeFolders?: MadeFolders | undefined;
  /** Timeout of the answer to the probe (ms, default 1000). */
  readonly probeTimeoutMs?: number;
  /** Search for running Flatpaks; default: in the processes of this machine. */
  readonly scan?: typeof sandboxedProcesses;
}

/** Longest name that a temporary socket has in the same folder, without the slash (bytes). */
const TEMPORARY_NAME_BYTES = '.fb01234567'.length;

/**
 * Claims a path by the rules of an endpoint: never over a live socket, a link or another kind of file, in a folder where
 * no other user can replace the socket. Throws `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN, FOOTBRIDGE_NO_FOLDER for a missing
 * folder, which may appear later, and the errors of `checkEndpointFolder` and `checkPathLength`.
 */
export async function claimPath(options: PathClaimOptions): Promise<PathClaim> {
  const { os, path, uid, privateFolder, native } = options;
  if (uid === undefined || privateFolder === undefined || os === 'win32') return claimPipePath(options);
  checkPathClaim(os, path);
  const folder = dirname(path);
  const checkFolder = (): void => {
    if (options.madeFolders !== undefined) makeFolder(options.madeFolders, folder, uid);
    if (lstatOf(folder) === undefined) throw missingFolder(folder, options.madeFolders !== undefined);
    checkEndpointFolder(folder, uid, 'chosen');
  };
  checkFolder();
  // A program that may write beside the folder can replace it by a link to another one.
  let held = holdFolder(folder);
  /** Holds the folder that is at the path now; false where there is none, or a link. */
  const holdsFolder = (): boolean => {
    if (held.isThere()) return true;
    try {
      const fresh = holdFolder(folder);
      held.close();
      held = fresh;
      return true;
    } catch {
      return false;
    }
  };
  const lockPath = pathLock(privateFolder, path);
  let lock: Awaited<ReturnType<typeof acquireLock>> | undefined;
  try {
    await removeDeadTemporaries(held.path, uid);
    lock = await acquireLock(lockPath, native);
    if (lock.kind === 'held') throw taken(path, heldBy(lock.heldBy));
    const target = await targetOf(options, join(held.path, basename(path)), uid);
    const socket = new PublishedSocket(path, temporaryPath(folder), target, lock, {
      folder: () => held.path,
    });
    return {
      path,
      get bindPath() {
        return socket.bindPath;
      },
      publish() {
        checkFolder();
        socket.publish();
      },
      owned: () => holdsFolder() && socket.owned(),
      deleted: () => !holdsFolder() || socket.deleted(),
      async renew() {
        checkFolder();
        holdsFolder();
        if (socket.locked()) {
          if (!socket.deleted()) return false;
          socket.renew(temporaryPath(folder));
          return true;
        }
        // A cleanup of the runtime folder may have deleted our private folder with the locks, too.
        ensurePrivateFolder(dirname(privateFolder), uid);
        const fresh = await acquireLock(lockPath, native);
        if (fresh.kind === 'held') return false;
        if (socket.deleted()) {
          socket.renew(temporaryPath(folder), fresh);
          return true;
        }
        fresh.release();
        return false;
      },
      release() {
        socket.release();
        held.close();
      },
    };
  } catch (error) {
    if (lock?.kind === 'locked') lock.release();
    held.close();
    throw error;
  }
}

/** State of a path that may be claimed. Throws FOOTBRIDGE_ENDPOINT_TAKEN for any other. */
async function targetOf(options: PathClaimOptions, direct: string, uid: number): Promise<Target> {
  const { path } = options;
  const judgement = decideOn(await probe({ ...options, path: direct }), uid, false);
  if (judgement.kind === 'stale') return { kind: 'stale', identity: judgement.probe.identity };
  if (judgement.kind !== 'blocked') return { kind: 'free' };
  const placeholder = await placeholderAt(path, uid, options.scan);
  if (placeholder?.kind === 'left') return { kind: 'stale', identity: placeholder.identity };
  if (placeholder === undefined) throw taken(path, judgement.why);
  throw new LocalError(
    'FOOTBRIDGE_ENDPOINT_TAKEN',
    `${path} is taken: Flatpak ${placeholder.app} may run with another endpoint mounted there. It is served when that app has ended.`,
  );
}

/** Checks the lengths of the path and of the temporary path in its folder. Throws as `checkPathLength` does. */
export function checkPathClaim(os: OsName, path: string): void {
  const remedy = 'Choose a shorter one.';
  checkPathLength(os, path, remedy);
  if (os !== 'win32') checkPathLength(os, join(dirname(path), '_'.repeat(TEMPORARY_NAME_BYTES)), remedy);
}

/** A pipe has no file: its name is free as soon as its server ends. */
async function claimPipePath(options: PathClaimOptions): Promise<PathClaim> {
  const judgement = decideOn(await probe(options), undefined, false);
  if (judgement.kind === 'blocked') throw taken(options.path, judgement.why);
  return {
    path: options.path,
    bindPath: options.path,
    publish: () => {},
    owned: () => true,
    deleted: () => false,
    renew: () => Promise.resolve(false),
    release: () => {},
  };
}

function makeFolder(made: MadeFolders, folder: string, uid: number): void {
  const above = lstatOf(dirname(folder));
  if (above?.isDirectory() !== true || Number(above.uid) !== uid) return;
  checkEndpointFolder(dirname(folder), uid, 'chosen');
  made.make(folder);
}

function missingFolder(folder: string, makes: boolean): LocalError {
  const remedy = makes
    ? ` The bridge makes only the last folder of a path, and only in a folder of yours. Make ${folder} yourself.`
    : '';
  return new LocalError('FOOTBRIDGE_NO_FOLDER', `${folder} does not exist yet.${remedy}`);
}

function probe({ path, native, probeTimeoutMs }: PathClaimOptions): ReturnType<typeof probeEndpoint> {
  return probeEndpoint(path, {
    native,
    ...(probeTimeoutMs === undefined ? {} : { timeoutMs: probeTimeoutMs }),
  });
}

function heldBy(pid: number | undefined): string {
  if (pid === undefined) return 'another footbridge holds it';
  return `another footbridge holds it: ${describeProgram(programOf(pid) ?? { pid })}`;
}

function taken(path: string, why: string): LocalError {
  return new LocalError('FOOTBRIDGE_ENDPOINT_TAKEN', `${path} is taken: ${why}. Stop or move what is there.`);
}
