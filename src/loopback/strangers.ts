import type { Socket } from 'node:net';
import { SilentConnections } from '../scheduling/silent-connections.ts';
import type { OwnerCheck } from './owner.ts';
import { type RawStatus, refuse } from './raw-answer.ts';

/** Rule by which a port on the loopback interface distinguishes connections of its own user from those of others. */
export interface PeerRule {
  readonly refusedOwner: OwnerCheck;
  /** Maximum number of connections whose owner is still being looked up. A further connection drops a random one. */
  readonly unidentified: number;
  /** Answer to a connection of another user, for any input. */
  readonly refusal: RawStatus;
  /** Body of the refusal, in ASCII. */
  readonly refusalText?: string;
  /**
   * Called for a connection of another user that has sent data. A connection that only opens and closes is not
   * reported.
   */
  onRefused?(reason: string): void;
}

/** Maximum number of connections of other users that have not yet sent data or received their answer. */
const MAX_STRANGERS = 16;
/** Time within which another user's connection must send data (ms). */
const STRANGER_MS = 1000;

/**
 * Connections of other users. They have their own small pool, and none of their bytes reach an HTTP parser, so a flood
 * of them takes no slots and little time from other connections.
 */
export class Strangers {
  readonly #rule: PeerRule;
  readonly #silent = new SilentConnections<Socket>({
    limit: MAX_STRANGERS,
    drop: (socket) => socket.destroy(),
  });

  constructor(rule: PeerRule) {
    this.#rule = rule;
  }

  /** Answers a connection with the constant refusal after it has sent data. `reason` names the connection's owner. */
  take(socket: Socket, reason: string): void {
    const { refusal, refusalText } = this.#rule;
    this.#silent.add(socket);
    const timer = setTimeout(() => socket.destroy(), STRANGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#silent.delete(socket);
    });
    socket.once('end', () => socket.destroySoon());
    socket.once('data', () => {
      clearTimeout(timer);
      this.#rule.onRefused?.(reason);
      refuse(socket, refusal, refusalText);
    });
    socket.resume();
  }
}
