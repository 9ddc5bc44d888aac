import { isTooDeep } from '../client/depth.ts';
import { MAX_TIMER_MS, quietTimer } from '../client/limit.ts';
import type { TextSocket } from '../client/text-socket.ts';
import { numberOf } from './raw.ts';

/** Opcodes of the gateway. */
export const Op = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  PRESENCE: 3,
  VOICE_STATE: 4,
  RESUME: 6,
  RECONNECT: 7,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
} as const;

/** Our own close code: the connection is silent, or the service requests a reconnect. */
export const ABANDONED = 4900;
/** Close code for a message that cannot be read; the same code as for a lost connection. */
const UNREADABLE = 1006;
/** Limit of unsent data (bytes). */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Time limit for the service's part of a close (ms). */
const CLOSING_MS = 2000;
/** Minimum and maximum heartbeat interval (ms). */
const FASTEST_MS = 1000;
const SLOWEST_MS = MAX_TIMER_MS;

/** Data of a gateway dispatch. */
export type DispatchData = Readonly<Record<string, unknown>>;

/** One gateway message. */
export interface Payload {
  readonly op: number;
  readonly d: unknown;
  readonly s: unknown;
  readonly t: unknown;
}

/** Owner of a connection. */
export interface LinkHost {
  opened(): void;
  /** Handles a message of the session; the link handles heartbeats itself. */
  receive(payload: Payload): void;
  /** Called for an invalid message; a call of `lost` follows. */
  unreadable(): void;
  /** Called when the connection is over, with the service's close code and reason, or with a code of our own. */
  lost(code: number, reason: string): void;
  /** Time limit in milliseconds within which the session must become ready. */
  timeoutMs(): number;
}

/** One connection to the gateway, with its heartbeat. It reports nothing after it was closed or lost. */
export class Link {
  readonly #socket: TextSocket;
  readonly #host: LinkHost;
  /** Sequence number of the last dispatch. */
  #seq: number | undefined;
  /** Whether no message has arrived since the last heartbeat. */
  #isSilent = false;
  #isOver = false;
  /** Whether the session is ready; until then, only IDENTIFY or RESUME may be sent. */
  isReady = false;
  #beat: ReturnType<typeof setInterval> | undefined;
  readonly #late: ReturnType<typeof setTimeout>;

  constructor(socket: TextSocket, seq: number | undefined, host: LinkHost) {
    this.#socket = socket;
    this.#seq = seq;
    this.#host = host;
    // This timer ends a connection that the service accepted without sending anything.
    this.#late = setTimeout(() => this.#lose(ABANDONED), host.timeoutMs());
    socket.onopen = () => {
      if (!this.#isOver) host.opened();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code, reason }) => this.#lose(code, reason);
    // For a connection that never opened, some WebSockets report only an error and no close.
    socket.onerror = () => this.#lose(UNREADABLE);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  ready(): void {
    clearTimeout(this.#late);
    this.isReady = true;
  }

  send(op: number, d: unknown): void {
    if (this.#isOver) return;
    // Each message of the service causes an answer. This service does not read the answers, so they fill the buffer.
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) return this.#lose(ABANDONED);
    try {
      this.#socket.send(JSON.stringify({ op, d }));
    } catch {
      // The send failed because the socket is closing; the close event follows.
    }
  }

  close(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#beat);
    clearTimeout(this.#late);
    this.#socket.close(code);
    const { terminate } = this.#socket;
    if (terminate) quietTimer(() => terminate.call(this.#socket), CLOSING_MS);
  }

  /** Handles an invalid message. */
  fail(): void {
    this.#host.unreadable();
    this.#lose(UNREADABLE);
  }

  #lose(code: number, reason = ''): void {
    if (this.#isOver) return;
    this.close(ABANDONED);
    this.#host.lost(code, reason);
  }

  #receive(data: unknown): void {
    if (this.#isOver) return;
    this.#isSilent = false;
    const payload = payloadOf(data);
    if (payload === undefined) return this.fail();
    const { op, d, s } = payload;
    if (typeof s === 'number') this.#seq = s;
    if (op === Op.HEARTBEAT) return this.#sendHeartbeat();
    if (op === Op.RECONNECT) return this.#lose(ABANDONED);
    // A second HELLO is ignored, because the session is identified already.
    if (op === Op.HELLO && this.#beat !== undefined) return;
    if (op === Op.HELLO) this.#beatEvery(numberOf(asData(d)['heartbeat_interval']));
    this.#host.receive(payload);
    // The host has deleted the session by now, so the next connection identifies anew.
    if (op === Op.INVALID_SESSION) this.#lose(ABANDONED);
  }

  #beatEvery(ms: number): void {
    this.#beat = setInterval(
      () => {
        if (this.#isSilent) return this.#lose(ABANDONED);
        this.#isSilent = true;
        this.#sendHeartbeat();
      },
      Math.min(Math.max(ms, FASTEST_MS), SLOWEST_MS),
    );
  }

  #sendHeartbeat(): void {
    this.send(Op.HEARTBEAT, this.#seq ?? null);
  }
}

/** Returns the value when it is an object; else an empty object. */
export function asData(value: unknown): DispatchData {
  return typeof value === 'object' && value !== null ? (value as DispatchData) : {};
}

function payloadOf(data: unknown): Payload | undefined {
  try {
    const { op, d, s, t } = JSON.parse(String(data)) as Payload;
    return typeof op === 'number' && !isTooDeep(d) ? { op, d, s, t } : undefined;
  } catch {
    return undefined;
  }
}
