import type { Socket } from 'node:net';
import type { OwnerCheck } from './owner.ts';
import { type RawStatus, refuse } from './raw-answer.ts';
import { Slots } from './slots.ts';

/** How a port on the loopback distinguishes its own user's connections from those of others. */
export interface PeerRule {
  readonly refusedOwner: OwnerCheck;
  /** Connections at a time whose owner is still looked up; any of them is dropped for a further one. */
  readonly unidentified: number;
  /** Answer to a stranger, for any input. */
  readonly refusal: RawStatus;
  /** Body of that answer, in ASCII. */
  readonly refusalText?: string;
  /** Called for a stranger that has sent something; one that only connects and leaves is not reported. */
  onRefused?(reason: string): void;
}

/** Strangers at a time that still have to send something or to take their answer. */
const MAX_STRANGERS = 16;
/** How long a stranger may take to send something (ms). */
const STRANGER_MS = 1000;

/**
 * Connections that are not our user's. They have a small pool of their own, and no byte of theirs reaches an HTTP
 * parser: a flood of them takes neither a slot nor much time from the others.
 */
export class Strangers {
  readonly #rule: PeerRule;
  readonly #slots = new Slots<Socket>(MAX_STRANGERS, (socket) => socket.destroy());

  constructor(rule: PeerRule) {
    this.#rule = rule;
  }

  /** Answers the connection with the constant refusal once it has sent something. `reason` names its owner. */
  take(socket: Socket, reason: string): void {
    const { refusal, refusalText } = this.#rule;
    this.#slots.enter(socket);
    const timer = setTimeout(() => socket.destroy(), STRANGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#slots.leave(socket);
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
