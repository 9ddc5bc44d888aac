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
const FOLDER_VARIABLES = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP'] as const;

const PIPE_FOLDER = '\\\\?\\pipe';

/**
 * Folders in which packaged chat clients create their socket, as seen from outside their sandbox, in the order of their
 * use.
 */
const SANDBOX_FOLDERS = [
  'app/com.discordapp.Discord',
  'app/com.discordapp.DiscordCanary',
  'app/com.discordapp.DiscordPTB',
  'app/dev.vencord.Vesktop',
  '.flatpak/com.discordapp.Discord/xdg-run',
  '.flatpak/dev.vencord.Vesktop/xdg-run',
  'snap.discord',
  'snap.discord-canary',
];

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
 * Returns every folder in which a bridge of this user is searched, most likely first. The first is the folder of this
 * environment, in which a bridge with the same environment listens. For an environment that lost XDG_RUNTIME_DIR, as
 * after `su`, the login session's folder follows. Throws as {@link endpointFolder} does.
 */
export function bridgeFolders(os: OsName, env: Environment, uid: number | undefined): string[] {
  const { folder, source } = endpointFolder(os, env);
  const lost = os === 'linux' && source !== 'XDG_RUNTIME_DIR' && uid !== undefined;
  return lost ? unique([folder, loginFolder(uid)]) : [folder];
}

/**
 * Returns the endpoints at which a bridge of this user is searched: `discord-ipc-0` to `9` in each of {@link
 * bridgeFolders}. Throws as `bridgeFolders` does, and FOOTBRIDGE_PATH_TOO_LONG.
 */
export function bridgeEndpoints(os: OsName, env: Environment, uid: number | undefined): string[] {
  const paths = bridgeFolders(os, env, uid).flatMap((folder) =>
    ENDPOINT_INDEXES.map((index) => endpointPath(os, folder, index)),
  );
  for (const path of paths) checkPathLength(os, path);
  return paths;
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
export function checkPathLength(os: OsName, path: string): void {
  const limit = PATH_LIMITS[os];
  const unit = os === 'win32' ? 'characters' : 'bytes';
  const length = os === 'win32' ? path.length : new TextEncoder().encode(path).length;
  if (length <= limit) return;
  throw new EndpointError(
    'FOOTBRIDGE_PATH_TOO_LONG',
    `${path} is ${length} ${unit} long and a socket path holds at most ${limit}. ` +
      'Point XDG_RUNTIME_DIR (or TMPDIR) at a folder with a shorter name.',
  );
}

/**
 * Returns every folder in which chat clients create their endpoint in practice, most likely first, without duplicates.
 * Relative paths are omitted instead of refused, because the result is used for a search and not for listening. `uid`
 * adds the login session's own folder, for a caller whose environment lost it.
 */
export function searchFolders(os: OsName, env: Environment, uid?: number): string[] {
  return unique([...eachSearchFolder(os, env, uid)]);
}

/**
 * Yields {@link searchFolders} one by one, for a search that usually ends at the first folder; a folder may occur
 * twice.
 */
export function* eachSearchFolder(
  os: OsName,
  env: Environment,
  uid?: number,
): Generator<string, void, undefined> {
  if (os === 'win32') return yield PIPE_FOLDER;
  const runtime = os === 'darwin' ? [] : runtimeFolders(env, uid);
  yield* runtime;
  for (const name of FOLDER_VARIABLES) {
    const folder = absoluteFolder(env[name]);
    if (folder) yield folder;
  }
  yield '/tmp';
  for (const folder of runtime) {
    for (const name of SANDBOX_FOLDERS) yield joinPath(folder, name);
  }
}

/** Returns the folders of packaged chat clients below `folder`, in the order of their use; empty except on Linux. */
export function packagedFolders(os: OsName, folder: string): string[] {
  return os === 'linux' ? SANDBOX_FOLDERS.map((name) => joinPath(folder, name)) : [];
}

/** Runtime folders of the login session. */
function runtimeFolders(env: Environment, uid: number | undefined): string[] {
  const session = absoluteFolder(sessionEnvironment(env)['XDG_RUNTIME_DIR']);
  return [session, uid === undefined ? undefined : loginFolder(uid)].filter((folder) => folder !== undefined);
}

function loginFolder(uid: number): string {
  return `/run/user/${uid}`;
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

function absoluteFolder(value: string | undefined): string | undefined {
  return value?.startsWith('/') ? withoutTrailingSlashes(value) : undefined;
}

function joinPath(folder: string, name: string): string {
  return `${folder.endsWith('/') ? folder.replace(/\/+$/, '') : folder}/${name}`;
}

function withoutTrailingSlashes(folder: string): string {
  return folder.endsWith('/') ? folder.replace(/(?<=.)\/+$/, '') : folder;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
