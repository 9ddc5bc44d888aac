import type { BigIntStats } from 'node:fs';
import { lstat, open, opendir, readlink } from 'node:fs/promises';
import { isLocal, type MountTable, parseMounts } from '../process/mount-table.ts';
import { ENDPOINT_INDEXES, type Environment, endpointPath, FOLDER_VARIABLES, joinPath } from './endpoints.ts';
import { ping } from './ping.ts';
import { baseFolders, runtimeFolders, sandboxNames } from './search.ts';

/** Limits of one look into a sandbox, whose programs choose its content. */
const MAX_ENVIRON_BYTES = 256 * 1024;
const MAX_MOUNTS_BYTES = 4 * 1024 * 1024;
const MAX_NAMES = 200;
const MAX_FOLDERS = 24;
const MAX_LINKS = 40;
/** Maximum number of sockets that are tried, and the time limit for the PONG of each (ms). */
const MAX_PINGS = 8;
const PING_MS = 500;

/** Socket or link at the path of an endpoint, as a process in a sandbox has it. */
export type SeenInside =
  | {
      readonly kind: 'socket';
      /** Path inside. */
      readonly path: string;
      readonly file: FileNumber;
      /** Whether a server answers; false for a socket that was not tried. */
      readonly isLive: boolean;
    }
  | { readonly kind: 'dangling link'; readonly path: string };

/** Device and inode of a file, by which it is found on other paths. */
export type FileNumber = `${bigint}:${bigint}`;

export function fileNumber({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): FileNumber {
  return `${dev}:${ino}`;
}

/** View of a process in a sandbox; JSON can hold it. */
export interface InsideView {
  /** Folders that were searched, most likely first, without those of other sandboxes. */
  readonly folders: readonly string[];
  readonly seen: readonly SeenInside[];
  /** Folders on a file system of another program, which were not entered because a look could wait for ever. */
  readonly skipped: readonly string[];
}

/**
 * Searches the endpoints of a process by the rule of `search.ts`, in its own root folder and with its own environment.
 * Follows links within that root only, and enters only file systems of the kernel. Undefined for a process that ended or
 * that this user may not look into.
 *
 * Call it only in a process that may hang: a program in the sandbox can exchange a mount after the look at the table of
 * mounts, or hide a file system of its own below an overlay, and can keep its environment locked.
 */
export async function viewInside(
  pid: number,
  uid: number | undefined,
  proc = '/proc',
): Promise<InsideView | undefined> {
  const folder = `${proc}/${pid}`;
  const [environ, mountinfo] = await Promise.all([
    readStart(`${folder}/environ`, MAX_ENVIRON_BYTES),
    readStart(`${folder}/mountinfo`, MAX_MOUNTS_BYTES),
  ]);
  if (environ === undefined || mountinfo === undefined) return undefined;
  const root: Root = { path: `${folder}/root`, mounts: parseMounts(mountinfo) };
  const env = variablesIn(environ);
  const folders = [...new Set(baseFolders('linux', env, uid))];
  const found: Found[] = [];
  const skipped: string[] = [];
  const search = async (one: string): Promise<void> => {
    const real = await resolve(root, one);
    if (real === FOREIGN) skipped.push(one);
    else if (real !== undefined) found.push(...(await endpointsIn(root, one, real)));
  };
  for (const one of folders) await search(one);
  let left = MAX_FOLDERS;
  for (const runtime of runtimeFolders('linux', env, uid)) {
    for (const one of await sandboxesBelow(root, runtime)) {
      if (left-- > 0) await search(one);
    }
  }
  const seen = await Promise.all(found.map((one, index) => tried(one, index < MAX_PINGS)));
  return { folders, seen, skipped };
}

/** What is at the path of an endpoint; `outside` is the path of its socket below `/proc`. */
type Found =
  | { readonly kind: 'socket'; readonly path: string; readonly outside: string; readonly file: FileNumber }
  | { readonly kind: 'dangling link'; readonly path: string };

async function tried(found: Found, isTried: boolean): Promise<SeenInside> {
  if (found.kind === 'dangling link') return found;
  const { kind, path, outside, file } = found;
  const isLive = isTried && (await ping(outside, { timeoutMs: PING_MS })).kind === 'live';
  return { kind, path, file, isLive };
}

/** Result for a path on a file system of another program. */
const FOREIGN = Symbol('foreign');

/** Root folder of a process, and its mounts. */
interface Root {
  readonly path: string;
  readonly mounts: MountTable;
}

/** The variables that lead to an endpoint; all others stay unread, because they may be secret. */
function variablesIn(environ: string): Environment {
  const wanted = new Set<string>(FOLDER_VARIABLES);
  const pairs = environ.split('\0').map((line) => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  // A relative folder leads nowhere.
  return Object.fromEntries(pairs.filter(([name, value]) => wanted.has(name) && value.startsWith('/')));
}

async function sandboxesBelow(root: Root, runtime: string): Promise<string[]> {
  const namesOf = async (folder: string): Promise<string[]> => {
    const real = await resolve(root, folder);
    return real === undefined || real === FOREIGN ? [] : namesIn(root.path + real);
  };
  const names = sandboxNames({
    app: await namesOf(joinPath(runtime, 'app')),
    flatpak: await namesOf(joinPath(runtime, '.flatpak')),
    runtime: await namesOf(runtime),
  });
  return names.map((name) => joinPath(runtime, name));
}

async function endpointsIn(root: Root, folder: string, real: string): Promise<Found[]> {
  const found = await Promise.all(
    ENDPOINT_INDEXES.map(async (index): Promise<Found[]> => {
      const path = endpointPath('linux', folder, index);
      const status = await statusOf(root.path + endpointPath('linux', real, index));
      if (status === undefined) return [];
      if (!status.isSymbolicLink())
        return seenAt(path, root.path + endpointPath('linux', real, index), status);
      const target = await resolve(root, endpointPath('linux', real, index));
      if (target === FOREIGN) return [];
      const linked = target === undefined ? undefined : await statusOf(root.path + target);
      if (target === undefined || linked === undefined) return [{ kind: 'dangling link', path }];
      return seenAt(path, root.path + target, linked);
    }),
  );
  return found.flat();
}

function seenAt(path: string, outside: string, status: BigIntStats): Found[] {
  return status.isSocket() ? [{ kind: 'socket', path, outside, file: fileNumber(status) }] : [];
}

/**
 * Resolves every link of an absolute path as a process with that root does. Undefined for a missing file and for a
 * circle of links; {@link FOREIGN} for a path on a file system that is not the kernel's.
 */
async function resolve(root: Root, path: string): Promise<string | typeof FOREIGN | undefined> {
  const waiting = path.split('/').reverse();
  let links = 0;
  let real = '';
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      real = real.slice(0, Math.max(0, real.lastIndexOf('/')));
      continue;
    }
    const next = `${real}/${part}`;
    if (!isLocal(root.mounts, next)) return FOREIGN;
    const status = await statusOf(root.path + next);
    if (status === undefined) return undefined;
    if (!status.isSymbolicLink()) {
      real = next;
      continue;
    }
    const target = await readlink(root.path + next).catch(() => undefined);
    links += 1;
    if (target === undefined || links > MAX_LINKS) return undefined;
    if (target.startsWith('/')) real = '';
    waiting.push(...target.split('/').reverse());
  }
  return real;
}

function statusOf(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(() => undefined);
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      names.push(name);
      if (names.length === MAX_NAMES) break;
    }
  } catch {
    // What was read before a failure counts.
  }
  return names.sort();
}

/** Reads the start of a file of proc(5), whose size is not known before. */
async function readStart(path: string, limit: number): Promise<string | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size < limit; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(16_384), 0, 16_384, null);
      if (bytesRead === 0) break;
      size += bytesRead;
      chunks.push(buffer.subarray(0, bytesRead));
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
