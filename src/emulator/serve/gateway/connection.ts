import { CloseCode, closeReason, GatewayFault, Opcode } from './codes.ts';
import { HeartbeatProbe } from './heartbeat-probe.ts';
import type { ConnectionObserver } from './observer.ts';
import type { Payload } from './payload.ts';
import { readPayload } from './payload.ts';
import type { Line, Session } from './session.ts';
import type { Wire } from './wire.ts';

/** Interval at which clients must send heartbeats, in milliseconds. */
const HEARTBEAT_MS = 41_250;
/**
 * Delay of HELLO after the upgrade in milliseconds, similar to network latency. The library cloudstorm needs it: it
 * loses data that arrives together with the upgrade response, and then waits ten seconds for HELLO before it retries.
 */
const HELLO_AFTER_MS = 25;
/** Delay of a heartbeat after which the server requests it, in milliseconds. */
const LATE_MS = 5_000;
/** Time without heartbeats after which the connection is closed, in milliseconds. */
const SILENCE_TIMEOUT_MS = 1.5 * HEARTBEAT_MS;
/** Time within which a client must identify itself, in milliseconds. */
const IDENTIFY_MS = 30_000;
/** Maximum number of payloads that a connection may send in a window, and the length of the window in milliseconds. */
const MAX_COMMANDS = 120;
const WINDOW_MS = 60_000;
const RECONNECT_PAYLOAD = JSON.stringify({ t: null, s: null, op: Opcode.RECONNECT, d: null });
/** Maximum amount of unread data of a connection in bytes; with more, the connection is terminated. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Code that a peer reports when a connection ends without a close frame, so that no frame has it (RFC 6455 7.4.1). */
const ABNORMAL = 1006;

/** The socket of a connection. */
export interface GatewayEnd {
  close(code: number, reason: string): void;
  terminate(): void;
}

/** The server that owns the connections. */
export interface ConnectionHost {
  /** Monotonic time of the machine in milliseconds. Timeouts of connections use it and ignore the emulator's clock. */
  monotonic(): number;
  /**
   * Begins or resumes a session; undefined when the request is rejected and the client may retry. @throws GatewayFault
   */
  begin(connection: Connection, payload: Payload): Session | undefined;
  /** Executes a command of a session. @throws GatewayFault */
  command(session: Session, payload: Payload): void;
  /** Called when a connection has ended. `isClean` is true when the client will not reconnect. */
  ended(connection: Connection, session: Session | undefined, isClean: boolean): void;
  /** Reports a defect of the emulator; the log contains only the error's name. */
  failed(error: unknown): void;
}

type Phase =
  /** HELLO is due or was sent, and the connection has no session yet. */
  | { readonly kind: 'greeted' }
  | { readonly kind: 'listening'; readonly session: Session }
  | { readonly kind: 'closing'; readonly session: Session | undefined; readonly isClean: boolean }
  | { readonly kind: 'ended' };

interface ConnectionOptions extends Pick<Connection, 'wire' | 'version' | 'base'> {
  readonly end: GatewayEnd;
  /** Observes the payloads. */
  readonly observer: ConnectionObserver;
}

/** One WebSocket of the gateway. */
export class Connection implements Line {
  readonly #host: ConnectionHost;
  readonly #end: GatewayEnd;
  readonly wire: Wire;
  readonly #observer: ConnectionObserver;
  /** Gateway version and API base URL of the connection's request. */
  readonly version: number;
  readonly base: string;
  #phase: Phase = { kind: 'greeted' };
  /** Machine time at which the timeout for Identify began (ms). */
  #began: number;
  /**
   * Machine time of the last heartbeat, or of the connection's start (ms). The kind is `asked` when the server has
   * requested a heartbeat since.
   */
  #pulse: { readonly kind: 'heard' | 'asked'; readonly at: number };
  /** Start of the current window (ms), and the number of payloads received in it. */
  #window: { readonly began: number; count: number };
  /** Set until HELLO is sent. */
  #greeting: NodeJS.Timeout | undefined;
  readonly #probe: HeartbeatProbe;

  constructor(host: ConnectionHost, { end, wire, observer, version, base }: ConnectionOptions) {
    this.#host = host;
    this.#end = end;
    this.wire = wire;
    this.#observer = observer;
    this.version = version;
    this.base = base;
    const now = host.monotonic();
    this.#began = now;
    this.#pulse = { kind: 'heard', at: now };
    this.#window = { began: now, count: 0 };
    // A probe is no traffic of the client: the journal and the limit of payloads leave it out.
    this.#probe = new HeartbeatProbe((text) => wire.send(text));
  }

  /** Starts the connection and schedules HELLO. */
  open(): void {
    // A client in this process must read the upgrade response before the next event loop round.
    this.#greeting = setTimeout(() => setImmediate(() => this.#greet()), HELLO_AFTER_MS);
  }

  get session(): Session | undefined {
    return this.#phase.kind === 'listening' ? this.#phase.session : undefined;
  }

  /** Records the application that has identified itself. */
  identified(application: string): void {
    this.#observer.application = application;
  }

  get waiting(): number {
    return this.wire.waiting + this.#observer.held;
  }

  /**
   * Whether the client has read everything that was sent; otherwise a heartbeat is requested, which it sends after that.
   */
  get hasRead(): boolean {
    if (this.session === undefined) return true;
    return this.waiting === 0 && this.#probe.isAnswered(this.session.seq, this.#host.monotonic());
  }

  /** Sends a payload that is not an event. */
  sendOp(op: number, d: unknown): void {
    this.send(JSON.stringify({ t: null, s: null, op, d }));
  }

  send(text: string, left?: () => void): void {
    if (this.#phase.kind === 'ended') return;
    this.#probe.sent();
    this.#observer.sent(
      text,
      this.session?.listener.application.id,
      (payload, isSplit) => this.wire.send(payload, left, isSplit),
      {
        close: (code) => this.close(code, 'A fault closed the connection.'),
        reconnect: () => this.wire.send(RECONNECT_PAYLOAD),
      },
    );
    if (this.waiting > MAX_UNREAD_BYTES) this.#end.terminate();
  }

  receive(data: Uint8Array): void {
    if (this.#phase.kind === 'closing' || this.#phase.kind === 'ended') return;
    // When a client sends data before HELLO, HELLO is sent before the reply.
    this.#greet();
    const answer = this.#probe.answerIn(data);
    if (answer !== undefined) {
      this.#pulse = { kind: 'heard', at: this.#host.monotonic() };
      return this.session?.acknowledge(answer);
    }
    this.#observer.received(data);
    try {
      this.#count();
      this.#obey(readPayload(data));
    } catch (error) {
      if (error instanceof GatewayFault) return this.close(error.code, error.message);
      this.#host.failed(error);
      this.close(CloseCode.UNKNOWN_ERROR, 'Unknown error.');
    }
  }

  /** Checks the timeouts of the client. */
  watch(): void {
    const now = this.#host.monotonic();
    const silent = now - this.#pulse.at;
    if (this.#phase.kind === 'greeted') {
      // The Identify timeout also ends a connection that only sends heartbeats.
      if (now - this.#began > IDENTIFY_MS)
        this.close(CloseCode.SESSION_TIMED_OUT, 'Session timed out: no Identify came.');
    } else if (this.#phase.kind === 'listening') {
      if (silent > SILENCE_TIMEOUT_MS)
        this.close(CloseCode.SESSION_TIMED_OUT, 'Session timed out: no heartbeat came.', true);
      else if (silent > HEARTBEAT_MS + LATE_MS && this.#pulse.kind === 'heard') {
        this.#pulse = { ...this.#pulse, kind: 'asked' };
        this.sendOp(Opcode.HEARTBEAT, null);
      }
    }
  }

  /** Closes the connection. With `isClean`, its session ends too and cannot be resumed. */
  close(code: number, reason: string, isClean = false): void {
    if (this.#phase.kind === 'closing' || this.#phase.kind === 'ended') return;
    this.#phase = {
      kind: 'closing',
      session: this.session,
      isClean: isClean || code === CloseCode.AUTHENTICATION_FAILED,
    };
    if (code === ABNORMAL) this.#end.terminate();
    else this.#end.close(code, closeReason(reason));
  }

  /** Ends the connection because its server ends: for good, for the reason; else the client is to connect again. */
  leave(removalReason: string | undefined): void {
    if (removalReason !== undefined) return this.close(CloseCode.AUTHENTICATION_FAILED, removalReason);
    this.sendOp(Opcode.RECONNECT, null);
    this.close(1001, 'Going away');
  }

  /** Terminates the connection without a close frame; the client may resume its session. */
  drop(): void {
    this.#end.terminate();
  }

  /** Handles the end of the socket. A client that closes with 1000 or 1001 (RFC 6455 7.4.1) will not reconnect. */
  closed(code: number): void {
    if (this.#phase.kind === 'ended') return;
    const session = this.#phase.kind === 'closing' ? this.#phase.session : this.session;
    const isClean = this.#phase.kind === 'closing' ? this.#phase.isClean : code === 1000 || code === 1001;
    clearTimeout(this.#greeting);
    this.#phase = { kind: 'ended' };
    this.wire.close();
    this.#observer.ended();
    this.#host.ended(this, session, isClean);
  }

  #greet(): void {
    if (this.#greeting === undefined || this.#phase.kind === 'closing') return;
    clearTimeout(this.#greeting);
    this.#greeting = undefined;
    this.sendOp(Opcode.HELLO, { heartbeat_interval: HEARTBEAT_MS });
  }

  #count(): void {
    const now = this.#host.monotonic();
    if (now - this.#window.began >= WINDOW_MS) this.#window = { began: now, count: 0 };
    this.#window.count += 1;
    if (this.#window.count <= MAX_COMMANDS) return;
    const message = `Rate limited: more than ${MAX_COMMANDS} payloads in ${WINDOW_MS / 1000} s`;
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
    // The client may retry.
    else this.#began = this.#host.monotonic();
  }

  /** Handles a heartbeat, which also acknowledges the events that the client has received. */
  #beat({ d }: Payload): void {
    this.#pulse = { kind: 'heard', at: this.#host.monotonic() };
    if (typeof d === 'number' && Number.isSafeInteger(d)) this.session?.acknowledge(d);
    this.sendOp(Opcode.HEARTBEAT_ACK, null);
  }
}
