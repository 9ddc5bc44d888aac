/** Operating systems with a known endpoint rule, as `process.platform` names them. */
export type OsName = 'linux' | 'darwin' | 'win32';

/**
 * Whether the user `uid` may trust a socket, process or file of `owner`: their own, and root's, who could access
 * everything of theirs anyway. To root itself, which has the highest privilege to lose, every other user is a stranger,
 * too. Without a `uid`, as on Windows, the caller has to know by other means: only root is trusted.
 */
export function isTrustedOwner(owner: number, uid: number | undefined): boolean {
  return owner === uid || owner === 0;
}

/** The environment as a value: this file does not read the process's own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every possible index of an endpoint. A client counts up from 0. */
export const ENDPOINT_INDEXES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** One of the ten endpoint indexes. */
export type EndpointIndex = (typeof ENDPOINT_INDEXES)[number];

/** Source of the endpoint folder: a variable's name, or the default of the rule. */
export type FolderSource = (typeof FOLDER_VARIABLES)[number] | 'default';

/**
 * Error of an environment or path that cannot hold an endpoint. It has the shape of a `LocalError` without being one,
 * so that the client library can bundle this file alone.
 */
export class EndpointError extends Error {
  readonly code: 'FOOTBRIDGE_ENVIRONMENT' | 'FOOTBRIDGE_PATH_TOO_LONG';

  constructor(code: EndpointError['code'], message: string) {
    super(message);
    this.name = 'EndpointError';
    this.code = code;
  }
}

/** In the order in which the chat client resolves its prefix: the first one set decides. */
const FOLDER_VARIABLES = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP'] as const;

const PIPE_FOLDER = '\\\\?\\pipe';

/**
 * Folders in which packaged chat clients put their socket, as seen from outside their sandbox, in the order of their
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

/** `sun_path` without its terminator (bytes), and the pipe name limit (characters). */
const PATH_LIMITS = { linux: 107, darwin: 103, win32: 256 } as const;

/** The folder of an endpoint, and its source. */
export interface EndpointFolder {
  readonly folder: string;
  readonly source: FolderSource;
  /** Name of the snap whose own folder XDG_RUNTIME_DIR names; `folder` is then that of the login session around it. */
  readonly snap?: string;
}

/**
 * The folder our endpoint belongs in. An empty variable counts as unset. A program in a snap, such as the terminal of
 * an editor, has a sub-folder of its own as XDG_RUNTIME_DIR, which no other app searches: the login session's folder is
 * used. Throws `EndpointError` FOOTBRIDGE_ENVIRONMENT when the deciding variable is not an absolute path.
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
 * Every folder that is searched for a bridge of this user, by descending likelihood: first the one of this environment,
 * where a bridge that is started in it listens. An environment that lost XDG_RUNTIME_DIR, as after `su`, gets the login
 * session's after it. Throws as {@link endpointFolder} does.
 */
export function bridgeFolders(os: OsName, env: Environment, uid: number | undefined): string[] {
  const { folder, source } = endpointFolder(os, env);
  const lost = os === 'linux' && source !== 'XDG_RUNTIME_DIR' && uid !== undefined;
  return lost ? unique([folder, loginFolder(uid)]) : [folder];
}

/**
 * Endpoints that are searched for a bridge of this user: `discord-ipc-0` to `9` of each of {@link bridgeFolders}.
 * Throws as those do, and FOOTBRIDGE_PATH_TOO_LONG.
 */
export function bridgeEndpoints(os: OsName, env: Environment, uid: number | undefined): string[] {
  const paths = bridgeFolders(os, env, uid).flatMap((folder) =>
    ENDPOINT_INDEXES.map((index) => endpointPath(os, folder, index)),
  );
  for (const path of paths) checkPathLength(os, path);
  return paths;
}

/**
 * The environment of the login session: without the sub-folder of a snap in XDG_RUNTIME_DIR, because the sockets of the
 * session (D-Bus, Wayland, sound, systemd) are next to that folder.
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
 * Throws `EndpointError` FOOTBRIDGE_PATH_TOO_LONG when the operating system cannot hold the path in a socket address.
 * Node 20 and 22 would silently cut it short and listen on another file.
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
 * Every folder in which a chat client's endpoint is found in practice, by descending likelihood, without duplicates.
 * Relative values are left out, not refused: the result is for a search, not for listening. `uid` adds the login
 * session's own folder, for a caller whose environment lost it.
 */
export function searchFolders(os: OsName, env: Environment, uid?: number): string[] {
  return unique([...eachSearchFolder(os, env, uid)]);
}

/** {@link searchFolders} one by one, for a search that usually ends at the first; a folder may occur twice. */
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

/** The folders of packaged chat clients below our own `folder`, in the order of their use; empty except on Linux. */
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
 * The parts of `/run/user/UID/snap.NAME`, the runtime folder that snapd creates for a program in a snap, below any
 * root. Any other folder of such a name, as `mktemp -d /tmp/snap.XXXXXX` makes, may be in a shared folder.
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
