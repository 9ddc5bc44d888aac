import type { Socket } from 'node:net';
import { LocalError } from '../../platform/local-error.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import type { PeerCredentials } from '../wire/connection.ts';

/** Whether a peer of a local socket may come in. */
export type PeerCheck =
  | { readonly kind: 'known'; readonly credentials: PeerCredentials }
  /** The system cannot tell; the folder's and socket's modes are the only gate. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Lets in our own user and root. A failing look-up refuses: an error must never read as "uid 0". */
export function checkPeer(os: OperatingSystem, socket: Socket): PeerCheck {
  const peer = os.peerOf(socket);
  if (peer.kind === 'unknowable') return { kind: 'unknown' };
  if (peer.kind === 'failed') return { kind: 'refused', reason: 'the system does not say who the peer is' };
  const { pid, uid } = peer.credentials;
  if (uid !== os.uid && uid !== 0) return { kind: 'refused', reason: `the peer belongs to uid ${uid}` };
  return { kind: 'known', credentials: { pid: pid ?? 0, uid } };
}

/**
 * Without the kernel's word on who connects, only a folder that nobody else can enter keeps other users out. Throws
 * `LocalError` FOOTBRIDGE_PEER_CHECK where there is neither; returns why nobody is checked, where the folder suffices.
 */
export function requirePeerCheck(
  { native, uid }: OperatingSystem,
  { folder, privacy }: EndpointFolders,
): string | undefined {
  if (native.kind === 'loaded' || uid === undefined) return undefined;
  if (privacy === 'private') return native.reason;
  throw new LocalError(
    'FOOTBRIDGE_PEER_CHECK',
    `Other users can reach ${folder}, and who connects cannot be checked (${native.reason}). ` +
      'Install the optional package koffi, or point XDG_RUNTIME_DIR at a folder of your own with mode 0700.',
  );
}
