import { ApiError } from '../client/http.ts';
import { checkSocketAddress, type TextSocket } from '../client/text-socket.ts';
import { ClientStatus, ConnectionError, LoggingSeverity } from './enums.ts';
import type { Log } from './log.ts';
import { numberOf } from './raw.ts';

/** What a dispatch of the gateway holds. */
export type Told = Readonly<Record<string, unknown>>;

/** What the connection needs of the client. */
export interface GatewayHost {
  readonly log: Log;
  /** Where the gateway is. Rejects as requests do. */
  address(): Promise<string>;
  openSocket(address: string): Promise<TextSocket>;
  /** Milliseconds until something that was asked for has to be there. */
  timeoutMs(): number;
  token(): string | undefined;
  /** What is shown of the player, from the first moment on. */
  presence(): object | undefined;
  /** How they are there, in the gateway's words. */
  onlineStatus(): string;
  status(status: ClientStatus, error: ConnectionError, detail: number): void;
  dispatch(event: string, data: Told): void;
  /** The service does not take the token any more. */
  refused(): void;
}

const Op = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  PRESENCE: 3,
  RESUME: 6,
  RECONNECT: 7,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
} as const;
/** Lobbies come with READY, and not one by one. */
const AUTO_LOBBY_CONNECT = 1 << 16;
const AUTHENTICATION_FAILED = 4004;
/** The session cannot be gone on with after these. */
const SESSION_ENDED: ReadonlySet<number> = new Set([4003, 4007, 4009]);
/** Of our own: the connection is silent, or says what cannot be read. The session can be gone on with. */
const GIVEN_UP = 4900;
const UNREADABLE = 1006;
/** From so long (ms) on, doubled each time, until so long. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;

interface Session {
  readonly id: string;
  readonly url: string;
  seq: number;
}

/** One connection, and what ends with it. */
interface Link {
  readonly socket: TextSocket;
  /** Nothing was heard since this was asked. */
  isSilent: boolean;
  /** The session is there: nothing may be said before but who one is. */
  isReady: boolean;
  beat: ReturnType<typeof setInterval> | undefined;
  late: ReturnType<typeof setTimeout> | undefined;
}

type Phase =
  | { readonly kind: 'off' }
  /** The address is asked for, or the socket is being made. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'linked'; readonly link: Link }
  | { readonly kind: 'waiting'; readonly timer: ReturnType<typeof setTimeout> };

/** What a session shows that says nothing of it. */
const NOTHING = presenceOf([], 'online');
const OFF: Phase = { kind: 'off' };

/** The session at the service: kept up from `connect` to `disconnect`, gone on with where a connection is lost. */
export class Gateway {
  readonly #host: GatewayHost;
  #phase: Phase = OFF;
  #session: Session | undefined;
  #wasReady = false;
  #waitMs = FIRST_WAIT_MS;
  /** What the session shows; a session that is gone on with shows it still. */
  #shown = NOTHING;

  constructor(host: GatewayHost) {
    this.#host = host;
  }

  connect(): void {
    if (this.#phase.kind !== 'off') return;
    this.#wasReady = false;
    this.#waitMs = FIRST_WAIT_MS;
    this.#tell(ClientStatus.Connecting);
    void this.#open();
  }

  /** Leaves for good: the session is over. */
  disconnect(): void {
    if (this.#phase.kind === 'off') return;
    this.#tell(ClientStatus.Disconnecting);
    this.#session = undefined;
    this.#drop(1000);
    this.#tell(ClientStatus.Disconnected);
  }

  /** There is another token: the session is gone on with by it, or begun anew where it is somebody else's. */
  renew(): void {
    if (this.#phase.kind === 'linked' && this.#wasReady) this.#lost(ConnectionError.None, 0, false);
  }

  /** Shows of the player what is to be shown now, if there is a session and it shows something else. */
  show(): void {
    if (this.#phase.kind !== 'linked' || !this.#phase.link.isReady) return;
    const presence = this.#presence();
    if (presence !== this.#shown) this.#say(this.#phase.link, Op.PRESENCE, JSON.parse(presence));
    this.#shown = presence;
  }

  #presence(): string {
    const activity = this.#host.presence();
    return presenceOf(activity ? [activity] : [], this.#host.onlineStatus());
  }

  async #open(): Promise<void> {
    const phase: Phase = { kind: 'asking' };
    this.#phase = phase;
    try {
      const url = this.#session?.url ?? (await this.#host.address());
      checkSocketAddress('gateway', url);
      const socket = await this.#host.openSocket(`${url.replace(/\/+$/, '')}/?v=10&encoding=json`);
      // From the first moment on: one that is closed before it is open says so, and its end is told anyway.
      socket.onerror = () => {};
      if (this.#phase !== phase) return socket.close(1000);
      this.#link(socket);
    } catch (error) {
      if (this.#phase !== phase) return;
      const { message } = error as Error;
      this.#host.log.tell(LoggingSeverity.Warning, `Connect: ${message}`);
      const status = error instanceof ApiError ? error.status : 0;
      this.#lost(ConnectionError.ConnectionFailed, status, status === 401);
    }
  }

  #link(socket: TextSocket): void {
    const link: Link = { socket, isSilent: false, isReady: false, beat: undefined, late: undefined };
    const lose = (code: number): void => {
      if (this.#phase.kind !== 'linked' || this.#phase.link !== link) return;
      if (SESSION_ENDED.has(code) || code === AUTHENTICATION_FAILED) this.#session = undefined;
      const error = this.#wasReady ? ConnectionError.UnexpectedClose : ConnectionError.ConnectionFailed;
      this.#lost(error, code, code === AUTHENTICATION_FAILED);
    };
    // A service that takes the connection and says nothing.
    link.late = setTimeout(() => lose(GIVEN_UP), this.#host.timeoutMs());
    this.#phase = { kind: 'linked', link };
    socket.onopen = () => {
      if (!this.#wasReady) this.#tell(ClientStatus.Connected);
    };
    socket.onmessage = ({ data }) => {
      link.isSilent = false;
      const payload = payloadOf(data);
      if (payload === undefined) {
        this.#host.log.tell(LoggingSeverity.Warning, 'Connect: the service said what cannot be read');
        return lose(UNREADABLE);
      }
      this.#hear(link, payload, lose);
    };
    socket.onclose = ({ code }) => lose(code);
  }

  #hear(link: Link, { op, d, s, t }: Payload, lose: (code: number) => void): void {
    switch (op) {
      case Op.HELLO:
        this.#beat(link, numberOf(asTold(d)['heartbeat_interval']), lose);
        return this.#greet(link);
      case Op.DISPATCH:
        if (this.#session !== undefined && typeof s === 'number') this.#session.seq = s;
        return this.#dispatch(link, String(t), asTold(d), numberOf(s));
      case Op.HEARTBEAT:
        return this.#say(link, Op.HEARTBEAT, this.#session?.seq ?? null);
      case Op.RECONNECT:
        return lose(GIVEN_UP);
      case Op.INVALID_SESSION:
        if (d !== true) this.#session = undefined;
        return lose(GIVEN_UP);
      default:
    }
  }

  #dispatch(link: Link, event: string, data: Told, seq: number): void {
    const { id } = asTold(data['user']);
    if (event === 'READY' && typeof data['session_id'] === 'string' && typeof id === 'string') {
      const url = data['resume_gateway_url'];
      if (typeof url === 'string') this.#session = { id: data['session_id'], url, seq };
    }
    this.#host.dispatch(event, data);
    if (event !== 'READY' && event !== 'RESUMED') return;
    clearTimeout(link.late);
    link.isReady = true;
    this.#wasReady = true;
    this.#waitMs = FIRST_WAIT_MS;
    // What was to be shown may have changed while there was no connection.
    this.show();
    this.#tell(ClientStatus.Ready);
  }

  #greet(link: Link): void {
    const token = `Bearer ${this.#host.token() ?? ''}`;
    const session = this.#session;
    if (session !== undefined)
      return this.#say(link, Op.RESUME, { token, session_id: session.id, seq: session.seq });
    this.#shown = this.#presence();
    this.#say(link, Op.IDENTIFY, {
      token,
      capabilities: AUTO_LOBBY_CONNECT,
      properties: { os: 'unknown', browser: 'footbridge/sdk', device: 'footbridge/sdk' },
      ...(this.#shown === NOTHING ? {} : { presence: JSON.parse(this.#shown) }),
    });
  }

  #beat(link: Link, everyMs: number, lose: (code: number) => void): void {
    clearInterval(link.beat);
    link.beat = setInterval(
      () => {
        if (link.isSilent) return lose(GIVEN_UP);
        link.isSilent = true;
        this.#say(link, Op.HEARTBEAT, this.#session?.seq ?? null);
      },
      Math.max(everyMs, 1000),
    );
  }

  #say({ socket }: Link, op: number, d: unknown): void {
    try {
      socket.send(JSON.stringify({ op, d }));
    } catch {
      // It is closing, which its end tells.
    }
  }

  /** Tries again, or not: without ever having been ready, and without a token that is taken, nothing is to be hoped for. */
  #lost(error: ConnectionError, detail: number, isRefused: boolean): void {
    this.#drop(GIVEN_UP);
    if (isRefused) this.#host.refused();
    if (isRefused || !this.#wasReady) {
      this.#session = undefined;
      return this.#tell(ClientStatus.Disconnected, error, detail);
    }
    const timer = setTimeout(() => void this.#open(), this.#waitMs * (0.5 + Math.random() / 2));
    this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
    this.#phase = { kind: 'waiting', timer };
    this.#tell(ClientStatus.Reconnecting, error, detail);
  }

  #drop(code: number): void {
    const phase = this.#phase;
    this.#phase = OFF;
    if (phase.kind === 'waiting') clearTimeout(phase.timer);
    if (phase.kind !== 'linked') return;
    const { socket, beat, late } = phase.link;
    clearInterval(beat);
    clearTimeout(late);
    socket.close(code);
  }

  #tell(status: ClientStatus, error: ConnectionError = ConnectionError.None, detail = 0): void {
    this.#host.status(status, error, detail);
  }
}

interface Payload {
  readonly op: number;
  readonly d: unknown;
  readonly s: unknown;
  readonly t: unknown;
}

function payloadOf(data: unknown): Payload | undefined {
  try {
    const { op, d, s, t } = JSON.parse(String(data)) as Payload;
    return typeof op === 'number' ? { op, d, s, t } : undefined;
  } catch {
    return undefined;
  }
}

function presenceOf(activities: readonly object[], status: string): string {
  return JSON.stringify({ since: null, activities, status, afk: false });
}

function asTold(value: unknown): Told {
  return typeof value === 'object' && value !== null ? (value as Told) : {};
}
