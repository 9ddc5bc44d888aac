/** The operating systems we know the endpoint rule of, as `process.platform` names them. */
export type OsName = 'linux' | 'darwin' | 'win32';

/**
 * Whether the user `uid` may trust what belongs to `owner`, be it a socket, a process or a file: their own, and root's, who
 * could take everything of theirs anyway. To root itself, which has the most to lose, everybody else is a stranger too.
 * Without a `uid`, as on Windows, the caller has to know by other means: nobody is trusted but root.
 */
export function isTrustedOwner(owner: number, uid: number | undefined): boolean {
  return owner === uid || owner === 0;
}

/** The environment as a value: this file reads nothing by itself. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every index an endpoint may have. A client counts up from 0. */
export const ENDPOINT_INDEXES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** One of the ten endpoint indexes. */
export type EndpointIndex = (typeof ENDPOINT_INDEXES)[number];

/** What decided the endpoint folder: a variable's name, or the rule's last resort. */
export type FolderSource = (typeof FOLDER_VARIABLES)[number] | 'default';

/**
 * An environment or path that cannot hold an endpoint. It has the shape of a `LocalError` without being one, so
 * that the client library can bundle this file alone.
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

/** Where packaged chat clients put their socket, as seen from outside their sandbox, most common first. */
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

/**
 * The folder our endpoint belongs in, and what decided it. A variable set to nothing counts as unset.
 * Throws `EndpointError` FOOTBRIDGE_ENVIRONMENT when the deciding variable is not an absolute path.
 */
export function endpointFolder(os: OsName, env: Environment): { folder: string; source: FolderSource } {
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
    return { folder: withoutTrailingSlashes(value), source };
  }
  return { folder: '/tmp', source: 'default' };
}

/** `<folder>/discord-ipc-N`, or the named pipe of that index. */
export function endpointPath(os: OsName, folder: string, index: EndpointIndex): string {
  if (os === 'win32') return `${folder.replace(/\\+$/, '')}\\discord-ipc-${index}`;
  return joinPath(folder, `discord-ipc-${index}`);
}

/**
 * Throws `EndpointError` FOOTBRIDGE_PATH_TOO_LONG when the operating system cannot hold the path in a socket
 * address. Node 20 and 22 would cut it short without a word and listen on another file.
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
 * Every folder in which a chat client's endpoint is found in practice, most likely first, without duplicates.
 * Relative values are left out, not refused: this is for looking, not for listening. `uid` adds the login
 * session's own folder, for a caller whose environment lost it.
 */
export function searchFolders(os: OsName, env: Environment, uid?: number): string[] {
  return unique([...eachSearchFolder(os, env, uid)]);
}

/** {@link searchFolders} one by one, for a search that mostly ends at the first; a folder may come twice. */
export function* eachSearchFolder(
  os: OsName,
  env: Environment,
  uid?: number,
): Generator<string, void, undefined> {
  if (os === 'win32') return yield PIPE_FOLDER;
  const own = os === 'darwin' ? undefined : absoluteFolder(env['XDG_RUNTIME_DIR']);
  if (own) yield own;
  const runtime = os === 'darwin' ? [] : runtimeFolders(own, uid);
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

/** The folders of packaged chat clients below our own `folder`, most common first; none but on Linux. */
export function packagedFolders(os: OsName, folder: string): string[] {
  return os === 'linux' ? SANDBOX_FOLDERS.map((name) => joinPath(folder, name)) : [];
}

/** A program inside a snap sees its own sub-folder as XDG_RUNTIME_DIR; the chat client is one level up. */
function runtimeFolders(own: string | undefined, uid: number | undefined): string[] {
  const [, outer] = /^(.+)\/snap\.[^/]+$/.exec(own ?? '') ?? [];
  return [own, outer, uid === undefined ? undefined : `/run/user/${uid}`].filter(
    (folder) => folder !== undefined,
  );
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
