import { CloseCode, GatewayFault, Opcode } from './codes.ts';
import type { Payload } from './payload.ts';
import { readPayload } from './payload.ts';
import type { Line, Session } from './session.ts';
import type { ConnectionTap } from './tap.ts';
import type { Wire } from './wire.ts';

/** How often a client sends a heartbeat (ms). */
const HEARTBEAT_MS = 41_250;
/**
 * HELLO comes so long after the upgrade (ms), as over a longer way. Seen with cloudstorm: it loses what it reads together
 * with the answer to its upgrade, and waits ten seconds for HELLO before it tries again.
 */
const HELLO_AFTER_MS = 25;
/** A heartbeat that is late by so much is asked for (ms) ... */
const LATE_MS = 5_000;
/** ... and after so long without one the client is taken to be gone. */
const GONE_MS = 1.5 * HEARTBEAT_MS;
/** For so long a client may say nothing of who it is (ms). */
const IDENTIFY_MS = 30_000;
/** Payloads of one connection in one window, and the window (ms). */
const MOST_COMMANDS = 120;
const WINDOW_MS = 60_000;
const ASK_TO_RECONNECT = JSON.stringify({ t: null, s: null, op: Opcode.RECONNECT, d: null });
/** Whoever leaves more than this unread is cut off (bytes). */
const MOST_UNREAD = 8 * 1024 * 1024;

/** The socket of a connection. */
export interface GatewayEnd {
  close(code: number, reason: string): void;
  terminate(): void;
}

/** Whoever serves connections. */
export interface ConnectionHost {
  /** Milliseconds of the machine: what concerns the connection itself does not go by the platform's clock. */
  monotonic(): number;
  /** Begins or resumes a session; undefined where the client may try again. @throws GatewayFault */
  begin(connection: Connection, payload: Payload): Session | undefined;
  /** Does what a session asks for. @throws GatewayFault */
  command(session: Session, payload: Payload): void;
  /** It is over; `isClean`: the client has said that it does not come back. */
  ended(connection: Connection, session: Session | undefined, isClean: boolean): void;
  /** A defect: only its name. */
  failed(error: unknown): void;
}

type Phase =
  /** Nothing is known of it yet. */
  | { readonly kind: 'greeted' }
  | { readonly kind: 'listening'; readonly session: Session }
  | { readonly kind: 'closing'; readonly session: Session | undefined; readonly isClean: boolean }
  | { readonly kind: 'ended' };

/** One WebSocket of the gateway. */
export class Connection implements Line {
  readonly #host: ConnectionHost;
  readonly #end: GatewayEnd;
  readonly wire: Wire;
  readonly #tap: ConnectionTap;
  /** Version of the gateway, and base address of the API, that it came with. */
  readonly version: number;
  readonly base: string;
  #phase: Phase = { kind: 'greeted' };
  /** From when on it is waited for Identify. */
  #began: number;
  /** When the last heartbeat came, or the connection; and whether one was asked for since. */
  #pulse: { readonly kind: 'heard' | 'asked'; readonly at: number };
  /** Payloads in the window under way. */
  #window: { readonly began: number; count: number };
  /** Until HELLO was sent. */
  #greeting: NodeJS.Timeout | undefined;

  constructor(
    host: ConnectionHost,
    {
      end,
      wire,
      tap,
      version,
      base,
    }: {
      readonly end: GatewayEnd;
      readonly wire: Wire;
      /** What passes goes by it. */
      readonly tap: ConnectionTap;
      readonly version: number;
      readonly base: string;
    },
  ) {
    this.#host = host;
    this.#end = end;
    this.wire = wire;
    this.#tap = tap;
    this.version = version;
    this.base = base;
    const now = host.monotonic();
    this.#began = now;
    this.#pulse = { kind: 'heard', at: now };
    this.#window = { began: now, count: 0 };
  }

  /** Begins: HELLO is on its way. */
  open(): void {
    // A client in this process reads its answer before what comes in the next round.
    this.#greeting = setTimeout(() => setImmediate(() => this.#greet()), HELLO_AFTER_MS);
  }

  get session(): Session | undefined {
    return this.#phase.kind === 'listening' ? this.#phase.session : undefined;
  }

  get waiting(): number {
    return this.wire.waiting + this.#tap.held;
  }

  /** Sends what is no event. */
  say(op: number, d: unknown): void {
    this.send(JSON.stringify({ t: null, s: null, op, d }));
  }

  send(text: string, left?: () => void): void {
    if (this.#phase.kind === 'ended') return;
    this.#tap.sent(
      text,
      this.session?.listener.application.id,
      (payload, isSplit) => this.wire.send(payload, left, isSplit),
      {
        close: (code) => this.close(code, 'A fault closed the connection.'),
        reconnect: () => this.wire.send(ASK_TO_RECONNECT),
      },
    );
    if (this.waiting > MOST_UNREAD) this.#end.terminate();
  }

  receive(data: Uint8Array, isBinary: boolean): void {
    if (this.#phase.kind === 'closing' || this.#phase.kind === 'ended') return;
    // Whoever does not wait for it is greeted before the answer.
    this.#greet();
    this.#tap.received(data);
    try {
      this.#count();
      this.#obey(readPayload(data, isBinary));
    } catch (error) {
      if (error instanceof GatewayFault) return this.close(error.code, error.message);
      this.#host.failed(error);
      this.close(CloseCode.UNKNOWN_ERROR, 'Unknown error.');
    }
  }

  /** Looks whether the client is still there. */
  watch(): void {
    const now = this.#host.monotonic();
    const silent = now - this.#pulse.at;
    if (this.#phase.kind === 'greeted') {
      // Heartbeats say nothing of who it is.
      if (now - this.#began > IDENTIFY_MS)
        this.close(CloseCode.SESSION_TIMED_OUT, 'Session timed out: nobody identified.');
    } else if (this.#phase.kind === 'listening') {
      if (silent > GONE_MS)
        this.close(CloseCode.SESSION_TIMED_OUT, 'Session timed out: no heartbeat came.', true);
      else if (silent > HEARTBEAT_MS + LATE_MS && this.#pulse.kind === 'heard') {
        this.#pulse = { ...this.#pulse, kind: 'asked' };
        this.say(Opcode.HEARTBEAT, null);
      }
    }
  }

  /** Closes it. `isClean`: its session ends with it, and cannot be resumed. */
  close(code: number, reason: string, isClean = false): void {
    if (this.#phase.kind === 'closing' || this.#phase.kind === 'ended') return;
    this.#phase = {
      kind: 'closing',
      session: this.session,
      isClean: isClean || code === CloseCode.AUTHENTICATION_FAILED,
    };
    this.#end.close(code, reason);
  }

  /** Drops it without a word; its session may be resumed. */
  drop(): void {
    this.#end.terminate();
  }

  /** The socket is gone. RFC 6455 7.4.1: a client that closes with 1000 or 1001 does not come back. */
  gone(code: number): void {
    if (this.#phase.kind === 'ended') return;
    const session = this.#phase.kind === 'closing' ? this.#phase.session : this.session;
    const isClean = this.#phase.kind === 'closing' ? this.#phase.isClean : code === 1000 || code === 1001;
    clearTimeout(this.#greeting);
    this.#phase = { kind: 'ended' };
    this.wire.close();
    this.#tap.ended();
    this.#host.ended(this, session, isClean);
  }

  #greet(): void {
    if (this.#greeting === undefined || this.#phase.kind === 'closing') return;
    clearTimeout(this.#greeting);
    this.#greeting = undefined;
    this.say(Opcode.HELLO, { heartbeat_interval: HEARTBEAT_MS });
  }

  #count(): void {
    const now = this.#host.monotonic();
    if (now - this.#window.began >= WINDOW_MS) this.#window = { began: now, count: 0 };
    this.#window.count += 1;
    if (this.#window.count <= MOST_COMMANDS) return;
    const message = `Rate limited: more than ${MOST_COMMANDS} payloads in ${WINDOW_MS / 1000} s`;
    throw new GatewayFault(CloseCode.RATE_LIMITED, message);
  }

  #obey(payload: Payload): void {
    const { op } = payload;
    if (op === Opcode.HEARTBEAT) return this.#beat(payload);
    const begins = op === Opcode.IDENTIFY || op === Opcode.RESUME;
    if (this.#phase.kind === 'listening') {
      if (begins) throw new GatewayFault(CloseCode.ALREADY_AUTHENTICATED, 'Already authenticated.');
      return this.#host.command(this.#phase.session, payload);
    }
    if (!begins)
      throw new GatewayFault(CloseCode.NOT_AUTHENTICATED, 'Not authenticated: Identify or Resume first.');
    const session = this.#host.begin(this, payload);
    if (session !== undefined) this.#phase = { kind: 'listening', session };
    // It was told to try again.
    else this.#began = this.#host.monotonic();
  }

  /** A client says with it what it has received. */
  #beat({ d }: Payload): void {
    this.#pulse = { kind: 'heard', at: this.#host.monotonic() };
    if (typeof d === 'number' && Number.isSafeInteger(d)) this.session?.acknowledge(d);
    this.say(Opcode.HEARTBEAT_ACK, null);
  }
}
