import type { Socket } from 'node:net';
import { LocalError } from '../src/base/local-error.ts';
import { type Claim, type ClaimOptions, claimEndpoint, type PathClaim } from './endpoint/claim.ts';
import { claimPath, type PathClaimOptions } from './endpoint/claim-path.ts';
import { type EndpointFolder, type Environment, endpointFolder, type OsName } from './endpoint/endpoints.ts';
import { checkEndpointFolder, ensurePrivateFolder, type FolderPrivacy } from './files/private-folder.ts';
import type { AcceptedSocket } from './native/accepted-socket.ts';
import { drainCheck, socketFd } from './native/drain.ts';
import { loadNative, type Native, type NativeAbsence, type PeerCredentials } from './native/native.ts';

/** Folder of our endpoint, and our private folder. On Windows there is no folder to check and no private folder. */
export interface EndpointFolders extends EndpointFolder {
  readonly privacy: FolderPrivacy;
  /** `<folder>/footbridge-<uid>`, mode 0700; undefined on Windows. */
  readonly privateFolder: string | undefined;
}

/**
 * Identity of a peer: `known` from the kernel; `unknowable` on a system that does not report peers; `failed` when the
 * check failed.
 */
export type Peer =
  | { readonly kind: 'known'; readonly credentials: PeerCredentials }
  | { readonly kind: 'unknowable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: Error };

/** The facts and calls of the operating system that this process runs on. */
export interface OperatingSystem {
  readonly name: OsName;
  /** User of this process; undefined on Windows. */
  readonly uid: number | undefined;
  readonly native: Native | NativeAbsence;
  /**
   * Determines the endpoint folder, checks it, and creates our private folder in it. Throws as `endpointFolder`,
   * `checkEndpointFolder` and `ensurePrivateFolder` do.
   */
  prepareFolders(env: Environment): EndpointFolders;
  /** Calls `claimEndpoint` for these folders. */
  claim(folders: EndpointFolders, options: Pick<ClaimOptions, 'index' | 'force' | 'adopt'>): Promise<Claim>;
  /** Calls `claimPath` for a socket at any path, with the locks in the private folder of these folders. */
  claimPath(
    folders: EndpointFolders,
    options: Pick<PathClaimOptions, 'path' | 'madeFolders'>,
  ): Promise<PathClaim>;
  /**
   * Asks the kernel for the process at the other end. A `failed` peer must be refused; the caller decides about an
   * `unknowable` one.
   */
  peerOf(socket: Socket | AcceptedSocket): Peer;
  /** Number of bytes that the peer has not read yet; see {@link drainCheck}. */
  unsentBytes(socket: Socket): number | undefined;
  /** Whether the peer has disconnected although its data are not being read; false when the system cannot tell. */
  hungUp(socket: Socket): boolean;
}

/**
 * Returns the operating system of this process. Throws `LocalError` FOOTBRIDGE_ENVIRONMENT on a system whose endpoint
 * paths are unknown.
 */
export async function currentOs(): Promise<OperatingSystem> {
  const name = osName(process.platform);
  return operatingSystem(name, process.getuid?.(), await loadNative(name));
}

/** Returns the object for given facts, so that a test can use another user or omit the native calls. */
export function operatingSystem(
  name: OsName,
  uid: number | undefined,
  native: Native | NativeAbsence,
): OperatingSystem {
  return {
    name,
    uid,
    native,
    prepareFolders(env) {
      const endpoint = endpointFolder(name, env);
      // On Windows, the system's default security of pipes applies instead of a folder's mode; it allows other users to
      // read.
      if (uid === undefined) return { ...endpoint, privacy: 'shared', privateFolder: undefined };
      const { privacy } = checkEndpointFolder(endpoint.folder, uid);
      return { ...endpoint, privacy, privateFolder: ensurePrivateFolder(endpoint.folder, uid) };
    },
    claim({ folder, privateFolder }, options) {
      return claimEndpoint({ os: name, folder, privateFolder, native, uid, ...options });
    },
    claimPath({ privateFolder }, options) {
      return claimPath({ os: name, privateFolder, native, uid, ...options });
    },
    peerOf(socket) {
      if (native.kind === 'absent') return { kind: 'unknowable', reason: native.reason };
      const fd = socketFd(socket);
      if (fd === undefined) return { kind: 'failed', error: new Error('the connection is already closed') };
      try {
        return { kind: 'known', credentials: native.peerCredentials(fd) };
      } catch (error) {
        return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
      }
    },
    unsentBytes: drainCheck(native),
    hungUp(socket) {
      const fd = socketFd(socket);
      return native.kind === 'loaded' && fd !== undefined && native.hungUp(fd);
    },
  };
}

function osName(platform: NodeJS.Platform): OsName {
  if (platform === 'linux' || platform === 'darwin' || platform === 'win32') return platform;
  throw new LocalError(
    'FOOTBRIDGE_ENVIRONMENT',
    `The operating system ${platform} is not supported. Use Linux, macOS or Windows.`,
  );
}
