import type { Socket } from 'node:net';
import { type TcpOwnerLookup, tcpOwnerLookup } from '../../platform/tcp-owner.ts';

/** Why the process at the other end of a loopback connection may not speak to us; undefined lets it in. */
export type OwnerCheck = (socket: Socket) => Promise<string | undefined>;

/**
 * The rule of every port on the loopback, which any user of the machine can reach: on Linux our own user and root get in,
 * and nobody whom the system does not name. Elsewhere it keeps no table that we could read, and nobody is refused here.
 * Rejects when the look-up fails, which must refuse as well.
 */
export function ownerCheck(uid: number | undefined, ownerOf: TcpOwnerLookup = tcpOwnerLookup()): OwnerCheck {
  return async (socket) => {
    const owner = await ownerOf(socket);
    switch (owner.kind) {
      case 'known':
        return owner.uid === uid || owner.uid === 0 ? undefined : `the peer belongs to uid ${owner.uid}`;
      case 'unknown':
        return 'the system does not say who the peer is';
      case 'unknowable':
        return undefined;
    }
  };
}
