import type { Duplex } from 'node:stream';
import { PROTOCOL_VERSION } from '../../protocol/handshake.ts';
import { isObject } from '../../protocol/json.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Ready } from '../core.ts';
import type { WindowLimits } from '../fixed-window.ts';
import { type LinkListener, WireLink } from './wire-link.ts';

/** A link after READY. */
export interface Greeted {
  readonly link: WireLink;
  readonly ready: Ready;
}

/** Options of {@link shakeHands}. */
export interface HandshakeOptions {
  readonly clientId: string;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  /** Timeout for READY (ms). */
  readonly timeoutMs: number;
  /** Listener of the link from READY on, also for payloads in the same chunk as READY. */
  readonly next: LinkListener;
  /** Limits of what the upstream may send; by default those of a session. */
  readonly limits?: WindowLimits;
}

const known: readonly number[] = Object.values(CloseCode);

/** Maps a close code from an upstream to a code that the bridge may send. */
export function closeCodeOf(code: number): CloseCode {
  return (known.includes(code) ? code : CloseCode.ABNORMAL) as CloseCode;
}

/**
 * Sends HANDSHAKE and waits for READY. Rejects with the upstream's CloseError, and with a plain Error when the
 * connection is lost without a reason, times out, or `signal` aborts.
 */
export function shakeHands(stream: Duplex, options: HandshakeOptions): Promise<Greeted> {
  const { clientId, signal, timeoutMs, next, limits } = options;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => link.destroy();
    const late = setTimeout(giveUp, timeoutMs);
    const settle = (): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', giveUp);
    };
    const listener: LinkListener = {
      payload(payload) {
        // No request was sent yet, so payloads before READY are ignored.
        if (payload.evt !== 'READY' || !isObject(payload.data)) return;
        settle();
        link.listener = next;
        // Apps get READY unchanged: the only check is that it is a JSON object.
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
    };
    const link = new WireLink(stream, listener, limits);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) return giveUp();
    link.send(Opcode.HANDSHAKE, { v: PROTOCOL_VERSION, client_id: clientId });
  });
}
