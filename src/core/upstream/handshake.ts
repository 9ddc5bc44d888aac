import type { Duplex } from 'node:stream';
import { PROTOCOL_VERSION } from '../../protocol/handshake.ts';
import { isObject } from '../../protocol/json.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Ready } from '../core.ts';
import { type LinkListener, WireLink } from './wire-link.ts';

/** A link after READY. */
export interface Greeted {
  readonly link: WireLink;
  readonly ready: Ready;
}

/** What {@link shakeHands} needs. */
export interface HandshakeOptions {
  readonly clientId: string;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** How long READY may take (ms). */
  readonly patienceMs: number;
  /** Takes over from READY on: what comes in the same chunk goes to it already. */
  readonly next: LinkListener;
}

const known: readonly number[] = Object.values(CloseCode);

/** A code that an upstream sent, as one that we may send on. */
export function closeCodeOf(code: number): CloseCode {
  return (known.includes(code) ? code : CloseCode.ABNORMAL) as CloseCode;
}

/**
 * Sends HANDSHAKE and waits for READY. Rejects with CloseError as the upstream says it, and with a plain Error
 * when the connection is lost without a word, takes too long, or `signal` aborts.
 */
export function shakeHands(stream: Duplex, options: HandshakeOptions): Promise<Greeted> {
  const { clientId, signal, patienceMs, next } = options;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => link.destroy();
    const late = setTimeout(giveUp, patienceMs);
    const settle = (): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', giveUp);
    };
    const link: WireLink = new WireLink(stream, {
      payload(payload) {
        // Nothing was asked for yet: whatever comes before READY concerns nobody.
        if (payload.evt !== 'READY' || !isObject(payload.data)) return;
        settle();
        link.listener = next;
        // Apps get it as it came, but for what no JSON object can lack.
        resolve({ link, ready: payload.data as unknown as Ready });
      },
      ended(reason) {
        settle();
        reject(
          reason === undefined
            ? new Error('the chat client did not answer the handshake')
            : new CloseError(closeCodeOf(reason.code), reason.message),
        );
      },
    });
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) return giveUp();
    link.send(Opcode.HANDSHAKE, { v: PROTOCOL_VERSION, client_id: clientId });
  });
}
