import type { Socket } from 'node:net';
import { isTrustedOwner } from '../../platform/endpoint/endpoints.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import { type TcpOwnerLookup, tcpOwnerLookup } from '../../platform/tcp/tcp-owner.ts';
import { LocalError } from '../base/local-error.ts';

const UNKNOWN_OWNER = 'the system does not say who the peer is';

/** Whether the process at the other end of a local socket may speak with us. */
export type PeerCheck =
  /** `pid` is 0 where the system names none, as for a process of another namespace. */
  | { readonly kind: 'known'; readonly credentials: { readonly pid: number; readonly uid: number } }
  /** The system does not report it; the folder's and socket's modes are the only gate. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Admits our own user and root. A failing look-up refuses: an error must never read as "uid 0". `who` names the other
 * end in the reason.
 */
export function checkPeer(os: OperatingSystem, socket: Socket, who = 'the peer'): PeerCheck {
  const peer = os.peerOf(socket);
  if (peer.kind === 'unknowable') return { kind: 'unknown' };
  if (peer.kind === 'failed') return { kind: 'refused', reason: UNKNOWN_OWNER };
  const { pid = 0, uid } = peer.credentials;
  const reason = strangerReason(uid, os.uid, who);
  return reason === undefined ? { kind: 'known', credentials: { pid, uid } } : { kind: 'refused', reason };
}

/**
 * Where the kernel does not identify peers, only a folder that no other user can enter excludes them. Throws
 * `LocalError` FOOTBRIDGE_PEER_CHECK where there is neither; returns the reason why peers are not checked, where the
 * folder suffices.
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

/** Why the process at the other end of a loopback connection may not speak to us; undefined lets it in. */
export type OwnerCheck = (socket: Socket) => Promise<string | undefined>;

/**
 * The rule of every port on the loopback, which any user of the machine can reach: on Linux our own user and root are
 * admitted, and no peer that the system does not identify. Other systems have no table that we could read, and no peer
 * is refused there. Rejects when the look-up fails, which must refuse as well.
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

/** The same by the native calls that the system's object has loaded. */
export function ownerCheckOn({ uid, native }: Pick<OperatingSystem, 'uid' | 'native'>): OwnerCheck {
  return ownerCheck(uid, tcpOwnerLookup({ native }));
}

function strangerReason(owner: number, uid: number | undefined, who: string): string | undefined {
  return isTrustedOwner(owner, uid) ? undefined : `${who} belongs to uid ${owner}`;
}
