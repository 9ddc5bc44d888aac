import { Opcode } from './codes.ts';
import { readPayload } from './payload.ts';

/** Maximum size of a heartbeat (bytes), so that no large payload is parsed twice. */
const MAX_HEARTBEAT_BYTES = 64;
/** Time after which a client that has never answered a request for a heartbeat counts as one that ignores it (ms). */
const IGNORED_MS = 1_000;

/** Stands for the number in a heartbeat without one, which acknowledges nothing. */
const NO_SEQ = -1;

const REQUEST = JSON.stringify({ t: null, s: null, op: Opcode.HEARTBEAT, d: null });
const ACK = JSON.stringify({ t: null, s: null, op: Opcode.HEARTBEAT_ACK, d: null });

type State =
  /** Nothing was sent since the last answer. */
  | { readonly kind: 'read' }
  | { readonly kind: 'unread' }
  | { readonly kind: 'requested'; readonly seq: number; readonly at: number; readonly isStale: boolean };

/** One object for all connections, because every payload may enter this state. */
const UNREAD: State = { kind: 'unread' };

/**
 * Finds out whether a client has read all that was sent to it: a client answers a requested heartbeat (opcode 1) in the
 * order of what it reads.
 */
export class HeartbeatProbe {
  readonly #send: (text: string) => void;
  #state: State = UNREAD;
  #answers: 'unknown' | 'yes' | 'no' = 'unknown';

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Notes that something was sent. */
  sent(): void {
    const state = this.#state;
    if (state.kind !== 'requested') this.#state = UNREAD;
    else if (!state.isStale) this.#state = { ...state, isStale: true };
  }

  /** Whether the client has answered since something was sent; `seq` is the number of the session's last event. */
  isAnswered(seq: number, now: number): boolean {
    if (this.#answers === 'no' || this.#state.kind === 'read') return true;
    if (this.#state.kind === 'unread') {
      this.#state = { kind: 'requested', seq, at: now, isStale: false };
      this.#send(REQUEST);
    } else if (this.#answers === 'unknown' && now - this.#state.at > IGNORED_MS) this.#answers = 'no';
    return false;
  }

  /** Sequence number in the requested heartbeat; undefined for any other payload. */
  answerIn(data: Uint8Array): number | undefined {
    if (this.#state.kind !== 'requested' || data.length > MAX_HEARTBEAT_BYTES) return undefined;
    const { seq, isStale } = this.#state;
    const d = heartbeatIn(data);
    if (d === undefined) return undefined;
    this.#answers = 'yes';
    this.#send(ACK);
    // A lower number is a heartbeat that the client sent of its own accord, or before it had noted the last event.
    const isBehind = d !== null && d < seq;
    this.#state = isStale || isBehind ? UNREAD : { kind: 'read' };
    return d ?? NO_SEQ;
  }
}

function heartbeatIn(data: Uint8Array): number | null | undefined {
  try {
    const { op, d } = readPayload(data);
    if (op !== Opcode.HEARTBEAT) return undefined;
    return typeof d === 'number' && Number.isSafeInteger(d) ? d : null;
  } catch {
    // The reader of all payloads refuses an invalid one.
    return undefined;
  }
}
