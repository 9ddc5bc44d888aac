import type { Socket } from 'node:net';
import type { OperatingSystem } from '../../platform/operating-system.ts';
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
