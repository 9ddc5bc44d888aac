import type { Socket } from 'node:net';
import { LocalError } from '../src/base/local-error.ts';
import { type Claim, type ClaimOptions, claimEndpoint } from './endpoint/claim.ts';
import { type EndpointFolder, type Environment, endpointFolder, type OsName } from './endpoint/endpoints.ts';
import { checkEndpointFolder, ensurePrivateFolder, type FolderPrivacy } from './files/private-folder.ts';
import { drainCheck, socketFd } from './native/drain.ts';
import { loadNative, type Native, type NativeAbsence, type PeerCredentials } from './native/native.ts';

/** Folders of our sockets. On Windows there is no folder to check and no private folder. */
export interface EndpointFolders extends EndpointFolder {
  readonly privacy: FolderPrivacy;
  /** `<folder>/footbridge-<uid>`, mode 0700; undefined on Windows. */
  readonly privateFolder: string | undefined;
}

/** Identity of the peer: named by the kernel, unknowable on a system that names no process, or a failed check. */
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
  /** Resolves the endpoint folder, checks it and makes our private folder in it. Throws as those do. */
  prepareFolders(env: Environment): EndpointFolders;
  /** `claimEndpoint` in those folders. */
  claim(folders: EndpointFolders, options: Pick<ClaimOptions, 'index' | 'force' | 'adopt'>): Promise<Claim>;
  /**
   * Queries the kernel for the process at the other end. `failed` must be refused; `unknowable` is a matter of policy.
   */
  peerOf(socket: Socket): Peer;
  /** Bytes that the peer has not read yet: see {@link drainCheck}. */
  unsentBytes(socket: Socket): number | undefined;
  /** Whether that peer has left although its data is not being read; false where that cannot be known. */
  hungUp(socket: Socket): boolean;
}

/** Gathers the running system. Throws `LocalError` FOOTBRIDGE_ENVIRONMENT on one whose endpoint rule is unknown. */
export async function currentOs(): Promise<OperatingSystem> {
  const name = osName(process.platform);
  return operatingSystem(name, process.getuid?.(), await loadNative(name));
}

/** The object for explicit facts, so that a test can be another user or lack the native calls. */
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
      const place = endpointFolder(name, env);
      // The system's default pipe security replaces the folder's mode; it lets others read.
      if (uid === undefined) return { ...place, privacy: 'shared', privateFolder: undefined };
      const { privacy } = checkEndpointFolder(place.folder, uid);
      return { ...place, privacy, privateFolder: ensurePrivateFolder(place.folder, uid) };
    },
    claim({ folder, privateFolder }, options) {
      return claimEndpoint({ os: name, folder, privateFolder, native, uid, ...options });
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
