import { dirname, join } from 'node:path';
import { LocalError } from '../../src/base/local-error.ts';
import { identityOf, isStill, lstatOf, removeIfStill, temporaryPath } from '../files/inode.ts';
import { checkEndpointFolder, ensurePrivateFolder } from '../files/private-folder.ts';
import { acquireLock, type Lock } from '../native/lock.ts';
import type { Native, NativeAbsence } from '../native/native.ts';
import { describeProgram, type Program, programOf } from '../process/program.ts';
import {
  checkPathLength,
  ENDPOINT_INDEXES,
  type EndpointIndex,
  endpointPath,
  type OsName,
} from './endpoints.ts';
import { decideOn } from './obstacle.ts';
import { probeEndpoint } from './probe.ts';
import { type Adopted, PublishedSocket } from './published-socket.ts';
import { removeDeadTemporaries } from './temporaries.ts';

/** Options of a claim. The caller has checked `folder` (`checkEndpointFolder`). */
export interface ClaimOptions {
  readonly os: OsName;
  readonly folder: string;
  /** Folder of the lock files; by default our private folder in `folder`. It is not used on Windows. */
  readonly privateFolder?: string | undefined;
  /** With `auto`, the first free index is claimed; with a number, that index, or the claim fails. */
  readonly index: 'auto' | EndpointIndex;
  readonly native: Native | NativeAbsence;
  /** User id that the claim is for; by default the user of this process. */
  readonly uid?: number | undefined;
  /**
   * Whether to take over the path from a live owner of the same user. A file that is not a socket is not replaced even
   * then.
   */
  readonly force?: boolean;
  /** Timeout of each endpoint's answer to the probe (ms, default 1000). */
  readonly probeTimeoutMs?: number;
  /**
   * Path of a socket that belongs to the service manager and is listening already. The claim adds the endpoint's name
   * to this socket, and the name remains after the claim has ended. `bindPath` is then not used.
   */
  readonly adopt?: string | undefined;
}

/** An index that was skipped, with the reason as a sentence, and the program that uses the index, if known. */
export interface SkippedEndpoint {
  readonly index: EndpointIndex;
  readonly path: string;
  readonly why: string;
  readonly owner?: Program;
}

/**
 * A path that this process may serve. Listen on `bindPath` inside `withTightUmask`, then call `publish()`. At the
 * end call `release()` before `server.close()`, so that no client finds a socket without a listener.
 */
export interface PathClaim {
  readonly path: string;
  readonly bindPath: string;
  /**
   * Moves the bound socket to `path`. Throws `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN when another program has taken the
   * path meanwhile.
   */
  publish(): void;
  /** Whether the published path still leads to our socket; another program may have replaced it. */
  owned(): boolean;
  /** Whether the socket at the path was deleted, so that the path is free. */
  deleted(): boolean;
  /**
   * Prepares to publish a deleted socket again, under the index's lock: bind another socket at `bindPath`, which has a
   * new name, then call `publish()`. Returns false when the path is in use by now, when another bridge has the index,
   * or when the service manager's own socket was deleted, too. Throws as `checkEndpointFolder` and `acquireLock` do.
   */
  renew(): Promise<boolean>;
  /** Removes only our own files and frees the lock. It may be called more than once. */
  release(): void;
}

/** An endpoint with an index that this process may serve. */
export interface Claim extends PathClaim {
  readonly index: EndpointIndex;
  readonly skipped: readonly SkippedEndpoint[];
}

type Attempt = Claim | { readonly kind: 'blocked'; readonly skipped: SkippedEndpoint };

/**
 * Claims an endpoint. Under the index's lock, which lasts as long as the claim, it probes the path. It leaves a path
 * unchanged that may be alive or that is not a socket of ours. Throws `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN that names
 * every obstacle, and `EndpointError` FOOTBRIDGE_PATH_TOO_LONG.
 */
export async function claimEndpoint(options: ClaimOptions): Promise<Claim> {
  const indexes = options.index === 'auto' ? ENDPOINT_INDEXES : [options.index];
  const own = options.os === 'win32' ? undefined : await prepare(options);
  const adopted = own?.adopted;
  const skipped: SkippedEndpoint[] = [];
  for (const index of indexes) {
    const path = endpointPath(options.os, options.folder, index);
    checkPathLength(options.os, path);
    const attempt =
      own === undefined
        ? await claimPipe(path, index, options, skipped)
        : await claimSocket(path, index, options, own, skipped);
    if (!('kind' in attempt)) return adopted === undefined ? attempt : alone(attempt, adopted, options);
    skipped.push(attempt.skipped);
  }
  throw new LocalError('FOOTBRIDGE_ENDPOINT_TAKEN', takenMessage(options, skipped));
}

interface Own {
  readonly uid: number;
  readonly privateFolder: string;
  readonly adopted?: Adopted;
}

async function prepare({
  folder,
  privateFolder,
  uid = process.getuid?.() ?? -1,
  adopt,
}: ClaimOptions): Promise<Own> {
  await removeDeadTemporaries(folder, uid);
  return {
    uid,
    privateFolder: privateFolder ?? ensurePrivateFolder(folder, uid),
    ...(adopt === undefined ? {} : { adopted: adoptable(adopt, uid) }),
  };
}

function adoptable(path: string, uid: number): Adopted {
  const status = lstatOf(path);
  if (status?.isSocket() === true && Number(status.uid) === uid)
    return { path, identity: identityOf(status) };
  throw new LocalError(
    'FOOTBRIDGE_ACTIVATION',
    `The socket of the service manager is no longer at ${path}. Run: footbridge restart`,
  );
}

/**
 * Removes the name of an earlier bridge at another index, so that the service manager's socket has the name of only one
 * endpoint.
 */
function alone(claim: Claim, { path, identity }: Adopted, { os, folder }: ClaimOptions): Claim {
  return {
    ...claim,
    publish() {
      claim.publish();
      for (const index of ENDPOINT_INDEXES) {
        const other = endpointPath(os, folder, index);
        if (other !== claim.path && other !== path) removeIfStill(other, identity);
      }
    },
  };
}

async function claimSocket(
  path: string,
  index: EndpointIndex,
  options: ClaimOptions,
  own: Own,
  skipped: readonly SkippedEndpoint[],
): Promise<Attempt> {
  const { os, folder, native, force = false } = options;
  const bindPath = temporaryPath(folder);
  checkPathLength(os, bindPath);

  const lockPath = join(own.privateFolder, `${index}.lock`);
  const first = await acquireLock(lockPath, native);
  if (first.kind === 'held' && !force) return blocked(path, index, lockedBy(first.heldBy));
  let lock = first.kind === 'locked' ? first : undefined;
  const { adopted } = own;
  const renewal = { index, options, own };
  try {
    if (adopted !== undefined && lock !== undefined && isStill(path, adopted.identity)) {
      // The socket has this name from an earlier bridge. It is not probed, because this process itself would have to
      // answer the probe.
      return claimOf(
        new PublishedSocket(path, bindPath, { kind: 'there' }, lock, { adopted }),
        skipped,
        renewal,
      );
    }
    const judgement = decideOn(await probe(path, options), own.uid, force);
    if (judgement.kind === 'blocked') {
      lock?.release();
      return blocked(path, index, judgement);
    }
    if (lock === undefined) {
      const forced = await acquireLock(lockPath, native, { takeOver: true });
      if (forced.kind === 'held') return blocked(path, index, lockedBy(forced.heldBy));
      lock = forced;
    }
    const target =
      judgement.kind === 'stale' ? { kind: 'stale' as const, identity: judgement.probe.identity } : judgement;
    return claimOf(new PublishedSocket(path, bindPath, target, lock, { adopted }), skipped, renewal);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

interface Renewal {
  readonly index: EndpointIndex;
  readonly options: ClaimOptions;
  readonly own: Own;
}

function claimOf(socket: PublishedSocket, skipped: readonly SkippedEndpoint[], renewal: Renewal): Claim {
  return {
    index: renewal.index,
    path: socket.path,
    get bindPath() {
      return socket.bindPath;
    },
    skipped,
    publish: () => socket.publish(),
    owned: () => socket.owned(),
    deleted: () => socket.deleted(),
    renew: () => renew(socket, renewal),
    release: () => socket.release(),
  };
}

async function renew(socket: PublishedSocket, { index, options, own }: Renewal): Promise<boolean> {
  const { folder, native, privateFolder } = options;
  if (own.adopted !== undefined && !isStill(own.adopted.path, own.adopted.identity)) return false;
  checkEndpointFolder(folder, own.uid);
  let fresh: Lock | undefined;
  if (!socket.locked()) {
    // A cleanup of the endpoint folder may have deleted our private folder with the locks, too.
    if (privateFolder === undefined || dirname(privateFolder) === folder)
      ensurePrivateFolder(folder, own.uid);
    const lock = await acquireLock(join(own.privateFolder, `${index}.lock`), native);
    if (lock.kind === 'held') return false;
    fresh = lock;
  }
  if (!socket.deleted()) {
    fresh?.release();
    return false;
  }
  socket.renew(temporaryPath(folder), fresh);
  return true;
}

/**
 * Claims a named pipe. A pipe has no file, no lock and no temporary name, and ends with its server, so a probe before
 * the claim is the only possible check. When another program takes the name after the probe, the listen fails on
 * Windows.
 */
async function claimPipe(
  path: string,
  index: EndpointIndex,
  options: ClaimOptions,
  skipped: readonly SkippedEndpoint[],
): Promise<Attempt> {
  const judgement = decideOn(await probe(path, options), undefined, false);
  if (judgement.kind === 'blocked') return blocked(path, index, judgement);
  return {
    index,
    path,
    bindPath: path,
    skipped,
    publish: () => {},
    owned: () => true,
    deleted: () => false,
    renew: () => Promise.resolve(false),
    release: () => {},
  };
}

function probe(path: string, { native, probeTimeoutMs }: ClaimOptions): ReturnType<typeof probeEndpoint> {
  return probeEndpoint(path, {
    native,
    ...(probeTimeoutMs === undefined ? {} : { timeoutMs: probeTimeoutMs }),
  });
}

function lockedBy(pid: number | undefined): { why: string; owner?: Program } {
  const owner = pid === undefined ? undefined : (programOf(pid) ?? { pid });
  if (owner === undefined) return { why: 'another footbridge holds it' };
  return { why: `another footbridge holds it: ${describeProgram(owner)}`, owner };
}

function blocked(
  path: string,
  index: EndpointIndex,
  { why, owner }: { readonly why: string; readonly owner?: Program },
): Attempt {
  return { kind: 'blocked', skipped: { index, path, why, ...(owner === undefined ? {} : { owner }) } };
}

function takenMessage({ index, folder }: ClaimOptions, skipped: readonly SkippedEndpoint[]): string {
  const [first] = skipped;
  if (index !== 'auto' && first !== undefined) {
    return `${first.path} is taken: ${first.why}. Stop or move what is there, or choose another index.`;
  }
  const list = skipped.map((entry) => `\n  discord-ipc-${entry.index}: ${entry.why}`).join('');
  return `All ten endpoints in ${folder} are taken. Stop or move one of these:${list}`;
}
