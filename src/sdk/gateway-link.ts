import { isTooDeep } from '../client/depth.ts';
import { LONGEST_TIMER_MS, quietTimer } from '../client/limit.ts';
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

/** Of our own: the connection is silent, or the service wants another one. */
export const GIVEN_UP = 4900;
/** As for a connection that breaks off. */
const UNREADABLE = 1006;
/** What may wait to be sent (bytes). */
const MOST_UNSENT = 1024 * 1024;
/** How long a service has to answer the end of a connection (ms). */
const CLOSING_MS = 2000;
/** A heart beats at least and at most so often (ms). */
const FASTEST_MS = 1000;
const SLOWEST_MS = LONGEST_TIMER_MS;

/** What a dispatch of the gateway holds. */
export type Told = Readonly<Record<string, unknown>>;

/** What the service says, in one piece. */
export interface Payload {
  readonly op: number;
  readonly d: unknown;
  readonly s: unknown;
  readonly t: unknown;
}

/** Whoever the connection is for. */
export interface LinkHost {
  opened(): void;
  /** What is about the session; heartbeats are the connection's own. */
  hear(payload: Payload): void;
  /** What was said is nothing that can be read; the end follows. */
  unreadable(): void;
  /** It is over: the service's number and words, or a number of our own. */
  lost(code: number, reason: string): void;
  /** Milliseconds until the session has to be there. */
  timeoutMs(): number;
}

/** One connection to the gateway, with its heart. Once it is closed or lost nothing of it is heard any more. */
export class Link {
  readonly #socket: TextSocket;
  readonly #host: LinkHost;
  /** Of the last dispatch that was heard. */
  #seq: number | undefined;
  /** Nothing was heard since the heart beat last. */
  #isSilent = false;
  #isOver = false;
  /** The session is there: nothing may be said before but who one is. */
  isReady = false;
  #beat: ReturnType<typeof setInterval> | undefined;
  readonly #late: ReturnType<typeof setTimeout>;

  constructor(socket: TextSocket, seq: number | undefined, host: LinkHost) {
    this.#socket = socket;
    this.#seq = seq;
    this.#host = host;
    // A service that takes the connection and says nothing.
    this.#late = setTimeout(() => this.#lose(GIVEN_UP), host.timeoutMs());
    socket.onopen = () => {
      if (!this.#isOver) host.opened();
    };
    socket.onmessage = ({ data }) => this.#hear(data);
    socket.onclose = ({ code, reason }) => this.#lose(code, reason);
    // Not every WebSocket says more of one that never was open.
    socket.onerror = () => this.#lose(UNREADABLE);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The session is there. */
  ready(): void {
    clearTimeout(this.#late);
    this.isReady = true;
  }

  say(op: number, d: unknown): void {
    if (this.#isOver) return;
    // It reads nothing of what it makes the game say.
    if (this.#socket.bufferedAmount > MOST_UNSENT) return this.#lose(GIVEN_UP);
    try {
      this.#socket.send(JSON.stringify({ op, d }));
    } catch {
      // It is closing, which its end tells.
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

  /** It says what no service says. */
  fail(): void {
    this.#host.unreadable();
    this.#lose(UNREADABLE);
  }

  #lose(code: number, reason = ''): void {
    if (this.#isOver) return;
    this.close(GIVEN_UP);
    this.#host.lost(code, reason);
  }

  #hear(data: unknown): void {
    if (this.#isOver) return;
    this.#isSilent = false;
    const payload = payloadOf(data);
    if (payload === undefined) return this.fail();
    const { op, d, s } = payload;
    if (typeof s === 'number') this.#seq = s;
    if (op === Op.HEARTBEAT) return this.#sayBeat();
    if (op === Op.RECONNECT) return this.#lose(GIVEN_UP);
    // Who one is was said already.
    if (op === Op.HELLO && this.#beat !== undefined) return;
    if (op === Op.HELLO) this.#beatEvery(numberOf(told(d)['heartbeat_interval']));
    this.#host.hear(payload);
    // The session is over for the host as well by now.
    if (op === Op.INVALID_SESSION) this.#lose(GIVEN_UP);
  }

  #beatEvery(ms: number): void {
    this.#beat = setInterval(
      () => {
        if (this.#isSilent) return this.#lose(GIVEN_UP);
        this.#isSilent = true;
        this.#sayBeat();
      },
      Math.min(Math.max(ms, FASTEST_MS), SLOWEST_MS),
    );
  }

  #sayBeat(): void {
    this.say(Op.HEARTBEAT, this.#seq ?? null);
  }
}

/** The members of what should be an object. */
export function told(value: unknown): Told {
  return typeof value === 'object' && value !== null ? (value as Told) : {};
}

function payloadOf(data: unknown): Payload | undefined {
  try {
    const { op, d, s, t } = JSON.parse(String(data)) as Payload;
    return typeof op === 'number' && !isTooDeep(d) ? { op, d, s, t } : undefined;
  } catch {
    return undefined;
  }
}
