import { existsSync, lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  checkPathLength,
  ENDPOINT_VARIABLE,
  type Environment,
  endpointFolder,
  namedEndpoint,
  type OsName,
} from '../../platform/endpoint/endpoints.ts';
import { bridgeFolderOf, bridgeFolders } from '../../platform/endpoint/search.ts';
import { privateFolderIn } from '../../platform/files/private-folder.ts';
import { holderAt } from '../../platform/process/pid-file.ts';
import { LocalError } from '../base/local-error.ts';
import { printable } from '../base/text.ts';

/** The operating system, and this user's id (undefined on Windows). */
export interface ControlFolder {
  readonly os: OsName;
  readonly uid: number | undefined;
}

/** Path of the control socket in our private folder; on Windows, a pipe whose name contains the user's name. */
export function controlPath({ os }: ControlFolder, privateFolder: string | undefined): string {
  if (os === 'win32' || privateFolder === undefined) {
    // A pipe name takes no backslash, and user names may contain almost anything else.
    return `\\\\?\\pipe\\footbridge-${encodeURIComponent(userInfo().username)}-control`;
  }
  const path = join(privateFolder, 'control.sock');
  checkPathLength(os, path);
  return path;
}

/**
 * Checks the length of the control socket's path, the longest path of a socket in this environment. Throws
 * `EndpointError` FOOTBRIDGE_PATH_TOO_LONG. Call it before a folder for the sockets is created.
 */
export function checkControlPath(location: ControlFolder, env: Environment): void {
  const { folder } = endpointFolder(location.os, env);
  if (location.uid !== undefined) controlPath(location, privateFolderIn(folder, location.uid));
}

/**
 * Control socket of the daemon of this environment: in the first of a bridge's folders in which a bridge runs, else in
 * the first in which one has run. Creates nothing. Throws `LocalError` FOOTBRIDGE_NO_DAEMON when no bridge has run in
 * any folder, and FOOTBRIDGE_ENDPOINT_FOLDER when no folder is ours and one belongs to another user: a socket there
 * must not get our requests.
 */
export function findControl(location: ControlFolder, env: Environment): string {
  const { uid } = location;
  if (uid === undefined) return controlPath(location, undefined);
  const found = controlFolders(location, env)
    .map((folder) => privateFolderIn(folder, uid))
    .filter((folder) => lstatSync(folder, { throwIfNoEntry: false }) !== undefined);
  const ours = found.length > 1 ? found.filter((folder) => isOurs(folder, uid)) : found;
  const running = ours.length > 1 ? ours.find((folder) => isHeld(folder)) : undefined;
  const folder = running ?? ours[0] ?? found[0];
  if (folder === undefined) throw noDaemon(location, env);
  checkOurs(folder, uid);
  return controlPath(location, folder);
}

/**
 * Folders in which the bridge of this environment may be: that of the endpoint which FOOTBRIDGE_ENDPOINT names, alone,
 * so that no command reaches another bridge than the apps do; otherwise those of {@link bridgeFolders}.
 */
function controlFolders({ os, uid }: ControlFolder, env: Environment): string[] {
  const named = os === 'win32' ? undefined : namedEndpoint(os, env);
  return named === undefined ? bridgeFolders(os, env, uid) : [bridgeFolderOf(named)];
}

/** Throws `LocalError` FOOTBRIDGE_ENDPOINT_FOLDER for a folder that other users can access or own. */
function checkOurs(privateFolder: string, uid: number): void {
  if (isOurs(privateFolder, uid)) return;
  throw new LocalError(
    'FOOTBRIDGE_ENDPOINT_FOLDER',
    `${privateFolder} is not a folder of ours with mode 0700, so what answers there is not trusted. ` +
      'Look who made it, and remove it if nobody needs it.',
  );
}

function isOurs(privateFolder: string, uid: number): boolean {
  const status = lstatSync(privateFolder, { throwIfNoEntry: false });
  return status?.isDirectory() === true && status.uid === uid && (status.mode & 0o077) === 0;
}

/** Whether a running daemon holds the lock in the folder. */
function isHeld(privateFolder: string): boolean {
  try {
    return holderAt(join(privateFolder, 'daemon.lock')) !== undefined;
  } catch {
    return false;
  }
}

/** Advice for a command under sudo whose caller has a bridge; undefined in any other case. */
export function otherUsersText({ os, uid }: ControlFolder, env: Environment): string | undefined {
  const caller = env['SUDO_UID'] ?? '';
  if (os === 'win32' || uid !== 0 || !/^[1-9]\d{0,9}$/.test(caller)) return undefined;
  const folders = new Set([...bridgeFolders(os, env, Number(caller)), `/run/user/${caller}`]);
  const found = [...folders].find((folder) =>
    existsSync(join(folder, `footbridge-${caller}`, 'control.sock')),
  );
  if (found === undefined) return undefined;
  const name = env['SUDO_USER'] ?? `uid ${caller}`;
  return `The bridge in ${found} is that of ${printable(name)}: run the command without sudo`;
}

/** The folders in which the daemon of this environment is searched, as a message names them. */
export function searchedFoldersText(location: ControlFolder, env: Environment): string {
  return controlFolders(location, env).join(' or ');
}

/** Error FOOTBRIDGE_NO_DAEMON: no daemon answers for this environment. */
export function noDaemon(location: ControlFolder, env: Environment, cause?: unknown): LocalError {
  const isNamed = location.os !== 'win32' && namedEndpoint(location.os, env) !== undefined;
  const remedy = isNamed
    ? `The folder is that of ${ENDPOINT_VARIABLE}: unset the variable, or start a bridge there`
    : (otherUsersText(location, env) ?? 'Start one with: footbridge run');
  return new LocalError(
    'FOOTBRIDGE_NO_DAEMON',
    `No bridge runs for ${searchedFoldersText(location, env)}. ${remedy}`,
    { cause },
  );
}
