/** Operating systems whose endpoint paths are known, as `process.platform` names them. */
export type OsName = 'linux' | 'darwin' | 'win32';

/**
 * Whether the user `uid` may trust a socket, process or file of the user `owner`. A user trusts their own, and those of
 * root, who can access everything anyway. Root trusts only root, because it has the highest privilege to lose. Without
 * a `uid`, as on Windows, only root is trusted, and the caller has to check the owner by other means.
 */
export function isTrustedOwner(owner: number, uid: number | undefined): boolean {
  return owner === uid || owner === 0;
}

/** Environment variables as an argument; this file does not read the environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All indexes that an endpoint can have. A client tries them from 0 upwards. */
export const ENDPOINT_INDEXES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** One of the ten endpoint indexes. */
export type EndpointIndex = (typeof ENDPOINT_INDEXES)[number];

/** Origin of the endpoint folder's path: the name of a variable, or `default` when no variable is set. */
export type FolderSource = (typeof FOLDER_VARIABLES)[number] | 'default';

/**
 * Error for an environment or a path that cannot contain an endpoint. It has the shape of a `LocalError` but is a class
 * of its own, so that the client library can bundle this file without others.
 */
export class EndpointError extends Error {
  readonly code: 'FOOTBRIDGE_ENVIRONMENT' | 'FOOTBRIDGE_PATH_TOO_LONG';

  constructor(code: EndpointError['code'], message: string) {
    super(message);
    this.name = 'EndpointError';
    this.code = code;
  }
}

/** Variables in the order in which the chat client evaluates them: the first one that is set decides. */
export const FOLDER_VARIABLES = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP'] as const;

/** Variable with the path of the only endpoint to use; it replaces every search. The daemon does not read it. */
export const ENDPOINT_VARIABLE = 'FOOTBRIDGE_ENDPOINT';

const PIPE_FOLDER = '\\\\?\\pipe';

/** Maximum length of `sun_path` without its terminator (bytes), and of a pipe name (characters). */
const PATH_LIMITS = { linux: 107, darwin: 103, win32: 256 } as const;

/** The endpoint folder, and the origin of its path. */
export interface EndpointFolder {
  readonly folder: string;
  readonly source: FolderSource;
  /**
   * Name of the snap to whose own folder XDG_RUNTIME_DIR points; `folder` is then the folder of the surrounding login
   * session.
   */
  readonly snap?: string;
}

/**
 * Returns the folder in which our endpoint belongs. An empty variable counts as unset. A program in a snap, such as the
 * terminal of an editor, has a sub-folder of its own in XDG_RUNTIME_DIR, in which no other app searches; the login
 * session's folder is used instead. Throws `EndpointError` FOOTBRIDGE_ENVIRONMENT when the variable that decides is not
 * an absolute path.
 */
export function endpointFolder(os: OsName, env: Environment): EndpointFolder {
  if (os === 'win32') return { folder: PIPE_FOLDER, source: 'default' };
  for (const source of FOLDER_VARIABLES) {
    const value = env[source];
    if (value === undefined || value === '') continue;
    if (!value.startsWith('/')) {
      throw new EndpointError(
        'FOOTBRIDGE_ENVIRONMENT',
        `${source} is ${JSON.stringify(value)}, which is not an absolute path. ` +
          `Set ${source} to a folder that starts with "/", or unset it.`,
      );
    }
    const folder = withoutTrailingSlashes(value);
    const snap = source === 'XDG_RUNTIME_DIR' && os !== 'darwin' ? snapFolder(folder) : undefined;
    return snap === undefined ? { folder, source } : { folder: snap.session, source, snap: snap.name };
  }
  return { folder: '/tmp', source: 'default' };
}

/**
 * Returns the endpoint that {@link ENDPOINT_VARIABLE} names; undefined when the variable is unset or empty. Throws
 * `EndpointError` FOOTBRIDGE_ENVIRONMENT when the value cannot be the path of a socket or the name of a pipe, and
 * FOOTBRIDGE_PATH_TOO_LONG.
 */
export function namedEndpoint(os: OsName, env: Environment): string | undefined {
  const path = env[ENDPOINT_VARIABLE];
  if (path === undefined || path === '') return undefined;
  const isWhole = os === 'win32' ? /^[\\/]{2}[.?][\\/]pipe[\\/]./i.test(path) : /^\/.*[^/]$/s.test(path);
  if (!isWhole) {
    const [wanted, such] =
      os === 'win32'
        ? ['the name of a pipe', `${PIPE_FOLDER}\\discord-ipc-0`]
        : ['the absolute path of a socket', '/run/user/1000/discord-ipc-0'];
    throw new EndpointError(
      'FOOTBRIDGE_ENVIRONMENT',
      `${ENDPOINT_VARIABLE} is ${JSON.stringify(path)}, which is not ${wanted}. Set it to one such as ${such}, or unset it.`,
    );
  }
  checkPathLength(os, path, `Set ${ENDPOINT_VARIABLE} to a shorter path, or unset it.`);
  return path;
}

/**
 * Returns the environment of the login session, without the sub-folder of a snap in XDG_RUNTIME_DIR. The sockets of the
 * session (D-Bus, Wayland, sound, systemd) are next to that sub-folder.
 */
export function sessionEnvironment(env: Environment): Environment {
  const snap = snapFolder(absoluteFolder(env['XDG_RUNTIME_DIR']));
  return snap === undefined ? env : { ...env, XDG_RUNTIME_DIR: snap.session };
}

/** `<folder>/discord-ipc-N`, or the named pipe of that index. */
export function endpointPath(os: OsName, folder: string, index: EndpointIndex): string {
  if (os === 'win32') return `${folder.replace(/\\+$/, '')}\\discord-ipc-${index}`;
  return joinPath(folder, `discord-ipc-${index}`);
}

/**
 * Checks the length of a socket's path. Throws `EndpointError` FOOTBRIDGE_PATH_TOO_LONG when the path does not fit into
 * a socket address of the operating system. Node 20 and 22 would silently shorten the path and listen on another file.
 */
export function checkPathLength(
  os: OsName,
  path: string,
  remedy = 'Point XDG_RUNTIME_DIR (or TMPDIR) at a folder with a shorter name.',
): void {
  const limit = PATH_LIMITS[os];
  const unit = os === 'win32' ? 'characters' : 'bytes';
  const length = os === 'win32' ? path.length : new TextEncoder().encode(path).length;
  if (length <= limit) return;
  throw new EndpointError(
    'FOOTBRIDGE_PATH_TOO_LONG',
    `${path} is ${length} ${unit} long and a socket path holds at most ${limit}. ${remedy}`,
  );
}

/**
 * Splits `/run/user/UID/snap.NAME`, the runtime folder that snapd creates for a program in a snap, below any root.
 * Another folder with such a name, such as one of `mktemp -d /tmp/snap.XXXXXX`, does not match, because it may be in a
 * shared folder.
 */
function snapFolder(folder: string | undefined): { session: string; name: string } | undefined {
  const [, session, name] = /^(.*\/run\/user\/\d+)\/snap\.([^/]+)$/.exec(folder ?? '') ?? [];
  return session === undefined || name === undefined ? undefined : { session, name };
}

/** Returns the value of a variable as a folder without trailing slashes; undefined unless it is an absolute path. */
export function absoluteFolder(value: string | undefined): string | undefined {
  return value?.startsWith('/') ? withoutTrailingSlashes(value) : undefined;
}

/** Joins a folder and a name by one slash. */
export function joinPath(folder: string, name: string): string {
  return `${folder.endsWith('/') ? folder.replace(/\/+$/, '') : folder}/${name}`;
}

function withoutTrailingSlashes(folder: string): string {
  return folder.endsWith('/') ? folder.replace(/(?<=.)\/+$/, '') : folder;
}
