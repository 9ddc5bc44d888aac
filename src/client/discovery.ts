import { type Attempt, type ClientError, noServer } from './errors.ts';
import type { Ready } from './generated.ts';
import { limit } from './limit.ts';
import { type Link, openLink } from './link.ts';
import type { JsonCodec } from './payload.ts';
import type { Dialled, Transport } from './transport.ts';

/** Delay between attempts at a server whose queue of connects is full (ms). */
const BUSY_RETRY_MS = 20;

/** A link that is ready. */
export interface OpenedLink {
  readonly link: Link;
  readonly ready: Ready;
}

/** Options of {@link openFirst}, and the listeners of its link. */
export interface OpenOptions {
  readonly application: string;
  /** Time limit for one endpoint, from connecting to READY (ms). */
  readonly endpointTimeoutMs: number;
  /** Called with each attempt's function that aborts it or ends its link. Throws to stop the search. */
  readonly trying: (giveUp: (error: ClientError) => void) => void;
  readonly dispatch: (event: string, data: unknown) => void;
  readonly json?: JsonCodec | undefined;
  readonly ended: (link: Link, error: ClientError) => void;
}

/**
 * Tries the addresses in order and resolves with the first that becomes ready. Rejects with FOOTBRIDGE_NO_SERVER, or
 * with an exception of `trying`.
 */
export function openFirst(transport: Transport, options: OpenOptions): Promise<OpenedLink> {
  const rest = transport.addresses()[Symbol.iterator]();
  const attempts: Attempt[] = [];
  return new Promise((resolve, reject) => {
    const next = (failed?: Attempt): void => {
      try {
        for (let known = failed; ; ) {
          if (known) attempts.push(known);
          const { value: address, done } = rest.next();
          if (done) throw noServer(attempts, transport.variable?.());
          // The first address is dialled unchecked, because it usually exists: its check runs while the server answers.
          known = attempts.length > 0 ? transport.objection(address) : undefined;
          if (!known) return open(transport, address, options, resolve, next);
        }
      } catch (error) {
        reject(error);
      }
    };
    next();
  });
}

/**
 * Dials an address, and calls `found` or `failed` once. A server with a full queue is alive: it is dialled again until
 * the timeout. Throws an exception of `trying`.
 */
function open(
  transport: Transport,
  address: string,
  options: OpenOptions,
  found: (opened: OpenedLink) => void,
  failed: (attempt: Attempt) => void,
): void {
  let outcome: OpenedLink | 'failed' | undefined;
  let dialled: Dialled | undefined;
  /** The last attempt that met a full queue, and the timer of the next. */
  let waiting: { readonly attempt: Attempt; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  options.trying((error) => {
    if (typeof outcome === 'object') outcome.link.end(error);
    else if (waiting) fail(waiting.attempt);
    else dialled?.wire.cut();
  });
  const fail = (attempt: Attempt): void => {
    if (outcome) return;
    outcome = 'failed';
    release();
    clearTimeout(waiting?.timer);
    dialled?.wire.cut();
    failed(attempt);
  };
  const release = limit(address, options.endpointTimeoutMs, undefined, () =>
    fail(waiting?.attempt ?? { path: address, reason: 'silent' }),
  );
  const dial = (): void => {
    const link = openLink(
      (listener) => {
        dialled = transport.dial(address, options.application, listener);
        return dialled.wire;
      },
      {
        ready(ready) {
          release();
          outcome = { link, ready };
          found(outcome);
        },
        dispatch: options.dispatch,
        ended(error) {
          if (typeof outcome === 'object') return options.ended(link, error);
          const { message, reason } = error;
          const attempt = dialled?.failure() ?? { path: address, reason: 'rejected', message, ...reason };
          if (attempt.reason !== 'busy') fail(attempt);
          else if (!outcome) waiting = { attempt, timer: setTimeout(dial, BUSY_RETRY_MS) };
        },
      },
      options.json,
    );
    // The handshake waits for the connect event, so a server with an objection receives nothing.
    const objection = transport.objection(address);
    if (objection) fail(objection);
  };
  dial();
}
