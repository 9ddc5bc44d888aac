import type { Socket } from 'node:net';
import { isTrustedOwner } from '../../platform/endpoint/endpoints.ts';
import type { AcceptedSocket } from '../../platform/native/accepted-socket.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import { type TcpOwnerLookup, tcpOwnerLookup } from '../../platform/tcp/tcp-owner.ts';
import { LocalError } from '../base/local-error.ts';

const UNKNOWN_OWNER = 'the system does not say who the peer is';

/** Result of the check whether the process at the other end of a local socket may connect. */
export type PeerCheck =
  /**
   * The system identified the peer. `pid` is 0 when the system names no process, for example for a process of another
   * namespace.
   */
  | { readonly kind: 'known'; readonly credentials: { readonly pid: number; readonly uid: number } }
  /** The system does not identify the peer, so only the modes of the folder and the socket restrict access. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Accepts the daemon's own user and root. A failed look-up refuses, because an error must never be taken for "uid 0".
 * `who` names the peer in the reason.
 */
export function checkPeer(os: OperatingSystem, socket: Socket | AcceptedSocket, who = 'the peer'): PeerCheck {
  const peer = os.peerOf(socket);
  if (peer.kind === 'unknowable') return { kind: 'unknown' };
  if (peer.kind === 'failed') return { kind: 'refused', reason: UNKNOWN_OWNER };
  const { pid = 0, uid } = peer.credentials;
  const reason = strangerReason(uid, os.uid, who);
  return reason === undefined ? { kind: 'known', credentials: { pid, uid } } : { kind: 'refused', reason };
}

/**
 * Ensures that peers can be checked. Where the kernel does not identify peers, only a folder that no other user can
 * enter excludes other users. Throws `LocalError` FOOTBRIDGE_PEER_CHECK when neither protection exists. Returns the
 * reason why peers are not checked if the folder is sufficient.
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

/**
 * Returns the reason why the process at the other end of a loopback connection may not connect; undefined accepts it.
 */
export type OwnerCheck = (socket: Socket) => Promise<string | undefined>;

/**
 * The rule for every port on the loopback interface, which any user of the machine can reach. On Linux, it accepts the
 * daemon's own user and root, and refuses a peer that the system does not identify. Other systems have no readable
 * table of owners, so no peer is refused there. Rejects when the look-up fails, which must refuse the connection as
 * well.
 */
export function ownerCheck(uid: number | undefined, ownerOf: TcpOwnerLookup = tcpOwnerLookup()): OwnerCheck {
  return async (socket) => {
    const owner = await ownerOf(socket);
    switch (owner.kind) {
      case 'known':
        return strangerReason(owner.uid, uid, 'the peer');
      case 'unknown':
        return UNKNOWN_OWNER;
      case 'unknowable':
        return undefined;
    }
  };
}

/** Creates the same check with the native calls that the operating system's object has loaded. */
export function ownerCheckOn({ uid, native }: Pick<OperatingSystem, 'uid' | 'native'>): OwnerCheck {
  return ownerCheck(uid, tcpOwnerLookup({ native }));
}

function strangerReason(owner: number, uid: number | undefined, who: string): string | undefined {
  return isTrustedOwner(owner, uid) ? undefined : `${who} belongs to uid ${owner}`;
}
