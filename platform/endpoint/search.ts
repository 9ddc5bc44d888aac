import { lstatSync, opendirSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  absoluteFolder,
  ENDPOINT_INDEXES,
  ENDPOINT_VARIABLE,
  EndpointError,
  type Environment,
  endpointFolder,
  endpointPath,
  FOLDER_VARIABLES,
  isTrustedOwner,
  joinPath,
  namedEndpoint,
  type OsName,
  sessionEnvironment,
} from './endpoints.ts';

/** Maximum number of entries that are read of one folder, and of sandbox folders that are searched below one folder. */
export const MAX_NAMES = 1000;
export const MAX_SANDBOXES = 64;

/** Folder of a sandbox below a runtime folder. */
const SANDBOX_FOLDER = /^(.+)\/(?:app\/[^/]+|\.flatpak\/[^/]+\/xdg-run|snap\.[^/]+)$/;

/** Folder of a world's endpoint in the private folder of its bridge. */
const WORLD_FOLDER = /^(.+)\/footbridge-\d+\/w\/[a-z0-9-]+$/;

/** Maximum number of links that are followed one after the other. */
const MAX_LINKS = 8;

/** Timeout of the program that prints the user's folder for temporary files (ms). */
const GETCONF_MS = 500;

/** Runtime folder that WSLg names in the environment; where systemd runs, services have the login session's folder. */
const WSLG_FOLDER = '/mnt/wslg/runtime-dir';

/**
 * Ids of packaged chat clients contain this text (Discord, Legcord, dev.vencord.Vesktop); their folders are searched
 * before those of other programs.
 */
const LIKELY_CLIENT = /cord/i;

/** Returns the user's folder for temporary files as macOS configures it; undefined where it is not known. */
export type TemporaryFolder = () => string | undefined;

/**
 * Returns every folder in which a bridge of this user is searched, most likely first. The first is the folder of this
 * environment, in which a bridge with the same environment listens. For an environment that lost the folder of the
 * login session, as after `su`, in WSLg or with another TMPDIR on macOS, the session's folder follows. Throws as {@link
 * endpointFolder} does.
 */
export function bridgeFolders(
  os: OsName,
  env: Environment,
  uid: number | undefined,
  temporary: TemporaryFolder = darwinTemporaryFolder,
): string[] {
  const { folder } = endpointFolder(os, env);
  return unique([folder, lostFolder(os, env, uid, temporary)]);
}

/**
 * Returns the folder of the bridge that serves an endpoint: the folder of the endpoint, or, for an endpoint in the
 * folder of a sandbox or of a world, the runtime folder around it.
 */
export function bridgeFolderOf(endpoint: string): string {
  const folder = endpoint.slice(0, endpoint.lastIndexOf('/')) || '/';
  const [, runtime] = SANDBOX_FOLDER.exec(folder) ?? WORLD_FOLDER.exec(folder) ?? [];
  return runtime ?? folder;
}

/**
 * Returns the path to which links lead from the path of an endpoint. A link in the folder of a sandbox is not followed,
 * because the program there chooses its target: a look at it may wait for ever.
 */
export function endpointBehind(path: string): string {
  let real = path;
  // A look at a pipe of Windows would connect to it.
  if (/^[\\/]{2}/.test(path)) return real;
  try {
    for (let links = 0; links < MAX_LINKS && !isInSandbox(real); links += 1)
      real = resolve(dirname(real), readlinkSync(real));
  } catch {
    // It is no link.
  }
  return real;
}

/**
 * Whether the endpoint may be that of a chat client by its place: outside of sandboxes, or in the folder of a sandbox
 * with the id of a chat client. Any other program in a sandbox can serve a socket in its folder as well.
 */
export function isLikelyClient(endpoint: string): boolean {
  const folder = dirname(endpoint);
  const [, runtime] = SANDBOX_FOLDER.exec(folder) ?? [];
  return runtime === undefined || LIKELY_CLIENT.test(folder.slice(runtime.length));
}

/** Whether the endpoint is in the folder of a sandbox, in which its program can replace it. */
export function isInSandbox(endpoint: string): boolean {
  return SANDBOX_FOLDER.test(dirname(endpoint));
}

/**
 * Returns the folder of a sandbox below a runtime folder in which the endpoint lies two folders deep or more; undefined
 * for any other. A program there can lead the upper folder elsewhere, and the lower one is then looked at by name.
 */
export function sandboxAround(runtime: string, endpoint: string): string | undefined {
  let folder = dirname(dirname(dirname(endpoint)));
  for (; folder.startsWith(`${runtime}/`); folder = dirname(folder))
    if (SANDBOX_FOLDER.exec(folder)?.[1] === runtime) return folder;
  return undefined;
}

/**
 * Returns the path in {@link ENDPOINT_VARIABLE}, as {@link namedEndpoint} does, and also throws `EndpointError`
 * FOOTBRIDGE_ENVIRONMENT for a path at which there is a folder or another file that is not a socket.
 */
export function usableEndpoint(os: OsName, env: Environment): string | undefined {
  const path = namedEndpoint(os, env);
  // A look at a pipe of Windows would connect to it.
  if (path === undefined || os === 'win32') return path;
  const entry = entryAt(endpointBehind(path));
  if (entry === undefined || entry.isSocket()) return path;
  const [what, remedy] = entry.isDirectory()
    ? ['a folder', `the path of the socket in it, such as ${endpointPath(os, path, 0)}`]
    : ['not a socket', 'the path of one'];
  throw new EndpointError(
    'FOOTBRIDGE_ENVIRONMENT',
    `${ENDPOINT_VARIABLE} is ${JSON.stringify(path)}, which is ${what}. Set it to ${remedy}, or unset it.`,
  );
}

/**
 * Yields every path at which an endpoint is searched, most likely first: the path in {@link ENDPOINT_VARIABLE} alone,
 * as it is, or else `discord-ipc-0` to `9` in each of {@link searchFolders}. Computed one by one, because most searches
 * end at the first.
 */
export function* searchEndpoints(
  os: OsName,
  env: Environment,
  uid?: number,
  temporary?: TemporaryFolder,
): Generator<string, void, undefined> {
  const named = env[ENDPOINT_VARIABLE];
  if (named !== undefined && named !== '') return yield named;
  const seen = new Set<string>();
  for (const folder of baseFolders(os, env, uid, temporary)) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const index of ENDPOINT_INDEXES) yield endpointPath(os, folder, index);
  }
  for (const runtime of runtimeFolders(os, env, uid)) yield* sandboxEndpoints(os, runtime, uid);
}

/**
 * Returns every folder in which endpoints are searched, most likely first, without duplicates: those of {@link
 * bridgeFolders}, the other folders that the environment names, `/tmp`, and {@link sandboxFolders}. Relative paths are
 * omitted instead of refused, because the result is used for a search and not for listening.
 */
export function searchFolders(
  os: OsName,
  env: Environment,
  uid?: number,
  temporary?: TemporaryFolder,
): string[] {
  const sandboxes = runtimeFolders(os, env, uid).flatMap((runtime) => sandboxFolders(os, runtime, uid));
  return unique([...baseFolders(os, env, uid, temporary), ...sandboxes]);
}

/** Returns the folders around those of sandboxes; empty except on Linux. */
export function runtimeFolders(os: OsName, env: Environment, uid: number | undefined): string[] {
  if (os !== 'linux') return [];
  return unique([
    absoluteFolder(sessionEnvironment(env)['XDG_RUNTIME_DIR']),
    lostFolder(os, env, uid, () => undefined),
  ]);
}

/** Yields the folders outside of sandboxes; a folder may occur twice. On Linux it reads nothing of the file system. */
export function* baseFolders(
  os: OsName,
  env: Environment,
  uid: number | undefined,
  temporary: TemporaryFolder = darwinTemporaryFolder,
): Generator<string, void, undefined> {
  const folders = FOLDER_VARIABLES.map((name) => [name, absoluteFolder(env[name])] as const);
  const absolute = Object.fromEntries(folders);
  yield endpointFolder(os, absolute).folder;
  if (os === 'win32') return;
  const lost = lostFolder(os, absolute, uid, temporary);
  if (lost !== undefined) yield lost;
  for (const [, folder] of folders) if (folder !== undefined) yield folder;
  // An XDG_RUNTIME_DIR on macOS is set by hand; the chat client, which the desktop starts, does not have it.
  const byHand = os === 'darwin' && absolute['XDG_RUNTIME_DIR'] !== undefined;
  const usual = byHand ? sessionFolder(os, env, uid, temporary) : undefined;
  if (usual !== undefined) yield usual;
  yield '/tmp';
}

/** Returns the folder of the login session where the environment has lost it. */
function lostFolder(
  os: OsName,
  env: Environment,
  uid: number | undefined,
  temporary: TemporaryFolder,
): string | undefined {
  const runtime = absoluteFolder(env['XDG_RUNTIME_DIR']);
  return runtime === undefined || runtime === WSLG_FOLDER
    ? sessionFolder(os, env, uid, temporary)
    : undefined;
}

/** Returns the folder of endpoints in a login session; undefined where it is not known, or TMPDIR names it already. */
function sessionFolder(
  os: OsName,
  env: Environment,
  uid: number | undefined,
  temporary: TemporaryFolder,
): string | undefined {
  if (uid === undefined || os === 'win32') return undefined;
  if (os !== 'darwin') return `/run/user/${uid}`;
  const named = absoluteFolder(env['TMPDIR']);
  const isUsual = named !== undefined && /^(?:\/private)?\/var\/folders\/[^/]+\/[^/]+\/T$/.test(named);
  // After `su` the variable still names the folder of another user.
  return isUsual && (entryAt(named)?.uid ?? uid) === uid ? undefined : absoluteFolder(temporary());
}

/**
 * Asks macOS for the user's folder for temporary files, which the desktop puts into TMPDIR. Blocks for a few
 * milliseconds, at most for {@link GETCONF_MS}.
 */
export function darwinTemporaryFolder(program = '/usr/bin/getconf'): string | undefined {
  // Loaded here, because importing the module costs more than a whole search on other systems.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, stdout } = spawnSync(program, ['DARWIN_USER_TEMP_DIR'], {
    encoding: 'utf8',
    env: {},
    maxBuffer: 4096,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: GETCONF_MS,
    killSignal: 'SIGKILL',
  });
  return status === 0 ? /^\/[^\n]+(?=\n?$)/.exec(stdout)?.[0] : undefined;
}

/**
 * Returns the folders below a runtime folder in which programs in sandboxes create endpoints, those of chat clients
 * first: `app/ID` and `.flatpak/ID/xdg-run` of Flatpak, and `snap.NAME`. Only folders of this user and of root count,
 * no links, at most {@link MAX_SANDBOXES}. Empty except on Linux.
 */
export function sandboxFolders(os: OsName, runtime: string, uid: number | undefined): string[] {
  if (os !== 'linux') return [];
  const isOwn = (folder: string): boolean => {
    const status = entryAt(folder);
    return status?.isDirectory() === true && (uid === undefined || isTrustedOwner(status.uid, uid));
  };
  const below = (name: string): string[] => {
    const folder = joinPath(runtime, name);
    return isOwn(folder) ? namesIn(folder).filter((id) => isOwn(joinPath(folder, id))) : [];
  };
  const folders: string[] = [];
  for (const name of sandboxNames({
    app: below('app'),
    flatpak: below('.flatpak'),
    runtime: namesIn(runtime),
  })) {
    if (folders.length === MAX_SANDBOXES) break;
    const folder = joinPath(runtime, name);
    if (isOwn(folder)) folders.push(folder);
  }
  return folders;
}

/**
 * Returns the sandboxes' folders relative to a runtime folder, those of chat clients first. The arguments are the names
 * in its folders `app` and `.flatpak`, and in itself.
 */
export function sandboxNames({
  app,
  flatpak,
  runtime,
}: {
  readonly app: readonly string[];
  readonly flatpak: readonly string[];
  readonly runtime: readonly string[];
}): string[] {
  const found = [
    ...app.map((id) => `app/${id}`),
    ...flatpak.map((id) => `.flatpak/${id}/xdg-run`),
    ...runtime.filter((name) => name.startsWith('snap.')),
  ];
  return [
    ...found.filter((one) => LIKELY_CLIENT.test(one)),
    ...found.filter((one) => !LIKELY_CLIENT.test(one)),
  ];
}

/**
 * Yields `discord-ipc-0` to `9` in each of {@link sandboxFolders}. A link is left out, because the program in the
 * sandbox chooses its target.
 */
export function* sandboxEndpoints(
  os: OsName,
  runtime: string,
  uid: number | undefined,
): Generator<string, void, undefined> {
  for (const folder of sandboxFolders(os, runtime, uid)) {
    for (const index of ENDPOINT_INDEXES) {
      const path = endpointPath(os, folder, index);
      if (entryAt(path)?.isSymbolicLink() !== true) yield path;
    }
  }
}

/** Names in a folder in the order of the alphabet; empty where the folder cannot be read. */
function namesIn(folder: string): string[] {
  const names: string[] = [];
  try {
    const entries = opendirSync(folder);
    try {
      for (let entry = entries.readSync(); entry && names.length < MAX_NAMES; entry = entries.readSync())
        names.push(entry.name);
    } finally {
      entries.closeSync();
    }
  } catch {
    // What was read before a failure counts.
  }
  return names.sort();
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined);
}
