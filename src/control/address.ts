import { lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { checkPathLength, type Environment, endpointFolder, type OsName } from '../../platform/endpoints.ts';
import { LocalError } from '../../platform/local-error.ts';
import { privateFolderIn } from '../../platform/private-folder.ts';

/** Which system, and who we are on it (undefined on Windows). */
export interface Place {
  readonly os: OsName;
  readonly uid: number | undefined;
}

/** The control socket in our private folder; on Windows a pipe with the user's name in its own. */
export function controlPath({ os }: Place, privateFolder: string | undefined): string {
  if (os === 'win32' || privateFolder === undefined) {
    // A pipe name takes no backslash, and user names may hold almost anything else.
    return `\\\\?\\pipe\\footbridge-${encodeURIComponent(userInfo().username)}-control`;
  }
  const path = join(privateFolder, 'control.sock');
  checkPathLength(os, path);
  return path;
}

/**
 * Throws `EndpointError` FOOTBRIDGE_PATH_TOO_LONG when the sockets of this environment would not fit an address: to be
 * asked before a folder for them is made. The control socket has the longest path of all.
 */
export function checkControlPath(place: Place, env: Environment): void {
  const { folder } = endpointFolder(place.os, env);
  if (place.uid !== undefined) controlPath(place, privateFolderIn(folder, place.uid));
}

/**
 * Where the daemon for this environment would listen: the same rule as the daemon's, without making anything.
 * Throws `LocalError` FOOTBRIDGE_NO_DAEMON when the folder is not there, and FOOTBRIDGE_ENDPOINT_FOLDER when it is
 * somebody else's: what they put there must not get our requests.
 */
export function findControl(place: Place, env: Environment): string {
  const { folder } = endpointFolder(place.os, env);
  if (place.uid === undefined) return controlPath(place, undefined);
  const privateFolder = privateFolderIn(folder, place.uid);
  const status = lstatSync(privateFolder, { throwIfNoEntry: false });
  if (status === undefined) throw noDaemon(folder);
  if (!status.isDirectory() || status.uid !== place.uid || (status.mode & 0o077) !== 0) {
    throw new LocalError(
      'FOOTBRIDGE_ENDPOINT_FOLDER',
      `${privateFolder} is not a folder of ours with mode 0700, so what answers there is not trusted. ` +
        'Look who made it, and remove it if nobody needs it.',
    );
  }
  return controlPath(place, privateFolder);
}

/** Nobody answers for this folder. */
export function noDaemon(folder: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_NO_DAEMON',
    `No bridge runs for ${folder}. Start one with: footbridge run`,
    cause === undefined ? undefined : { cause },
  );
}
