import { ApiError } from '../client/http.ts';
import { printable } from '../client/printable.ts';
import { checkSocketAddress, type TextSocket } from '../client/text-socket.ts';
import { ClientStatus, ConnectionError, LoggingSeverity } from './enums.ts';
import { ABANDONED, asData, type DispatchData, Link, Op, type Payload } from './gateway-link.ts';
import type { Log } from './log.ts';
import { idOf, text } from './raw.ts';

export type { DispatchData } from './gateway-link.ts';

/** Parts of the client that the gateway needs. */
export interface GatewayHost {
  readonly log: Log;
  /** Requests the address of the gateway. Rejects as HTTP requests do. */
  address(): Promise<string>;
  openSocket(address: string): Promise<TextSocket>;
  /** Milliseconds until a request times out. */
  timeoutMs(): number;
  token(): string | undefined;
  /** The player's activity, which is sent from the start of the session. */
  presence(): object | undefined;
  /** The player's online status in the gateway's spelling. */
  onlineStatus(): string;
  status(status: ClientStatus, error: ConnectionError, detail: number): void;
  dispatch(event: string, data: DispatchData): void;
  /** Called when the service rejects this token. */
  refused(token: string): void;
  /** Whether a token belongs to a user other than the session's user. Never rejects. */
  isOfSomebodyElse(token: string): Promise<boolean>;
}

/** Capability of IDENTIFY: READY then includes the lobbies, instead of one event for each lobby. */
const AUTO_LOBBY_CONNECT = 1 << 16;
const AUTHENTICATION_FAILED = 4004;
/** Close code that ends the session: the service then stores nothing of it. */
const FOR_GOOD = 1000;
/** Whether a close code means that the service rejects such a session permanently. */
const isHopeless = (code: number): boolean => code >= 4010 && code <= 4014;
/** Close codes after which the session cannot be resumed. */
const SESSION_ENDED: ReadonlySet<number> = new Set([4003, 4007, 4009, AUTHENTICATION_FAILED]);
/** First and maximum delay between two connection attempts (ms); the delay doubles with each attempt. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 30_000;
/**
 * A session shorter than `LASTING_MS` counts as dropped. Each further dropped session in a row doubles the first delay,
 * up to `MAX_FIRST_WAIT_MS` (both ms).
 */
const LASTING_MS = 1000;
const MAX_FIRST_WAIT_MS = 5000;

interface Session {
  readonly id: string;
  /**
   * Address for resuming; undefined after an attempt to which it did not answer: the address is then requested anew.
   */
  url: string | undefined;
  seq: number;
}

type Phase =
  | { readonly kind: 'off' }
  /** The client requests the gateway's address or creates the socket. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'linked'; readonly link: Link }
  /** The token has changed, and the client looks up its user. */
  | { readonly kind: 'leaving'; readonly link: Link }
  | { readonly kind: 'waiting'; readonly timer: ReturnType<typeof setTimeout> };

/** Presence that the service assumes by default, so it need not be sent. */
const NOTHING = presenceOf([], 'online');
const OFF: Phase = { kind: 'off' };

/** The session at the service. It is maintained from `connect` to `disconnect`, and resumed after a lost connection. */
export class Gateway {
  readonly #host: GatewayHost;
  #phase: Phase = OFF;
  #session: Session | undefined;
  #wasReady = false;
  #waitMs = FIRST_WAIT_MS;
  /** Presence that the session has; a resumed session keeps it. */
  #sentPresence = NOTHING;
  /** Time at which the session became ready (ms of a monotonic clock); undefined while it is not ready. */
  #readyAt: number | undefined;
  /** Number of sessions in a row that were dropped at once. */
  #dropped = 0;
  /** Token of the last IDENTIFY or RESUME. */
  #used = '';

  constructor(host: GatewayHost) {
    this.#host = host;
  }

  connect(): void {
    if (this.#phase.kind === 'waiting') return this.#openNow(this.#phase);
    if (this.#phase.kind !== 'off') return;
    this.#wasReady = false;
    this.#waitMs = FIRST_WAIT_MS;
    this.#dropped = 0;
    this.#readyAt = undefined;
    const phase: Phase = { kind: 'asking' };
    this.#phase = phase;
    this.#report(ClientStatus.Connecting);
    // The status callback may have called `disconnect`.
    if (this.#phase === phase) void this.#open();
  }

  /** Ends the session. */
  disconnect(): void {
    if (this.#phase.kind === 'off') return;
    this.#session = undefined;
    this.#drop(FOR_GOOD);
    this.#report(ClientStatus.Disconnecting);
    // The status callback may have called `connect` again.
    if (this.#isOff()) this.#report(ClientStatus.Disconnected);
  }

  /**
   * Handles a change of token: resumes the session with the new token, or begins a new session when the token belongs
   * to another user.
   */
  renew(): void {
    if (this.#phase.kind === 'waiting') return this.#openNow(this.#phase);
    if (this.#phase.kind !== 'linked' || this.#used === '' || this.#used === this.#host.token()) return;
    if (this.#wasReady && this.#session !== undefined) return void this.#renewReady(this.#phase.link);
    // When the session's user is not known yet, there is nothing to resume.
    this.#drop(this.#session === undefined ? FOR_GOOD : ABANDONED);
    void this.#open();
  }

  /** Ends the session because the service rejects its token; `status` is the HTTP status of its answer. */
  refuse(status: number): void {
    if (this.#phase.kind === 'off') return;
    this.#session = undefined;
    this.#drop(FOR_GOOD);
    this.#report(ClientStatus.Disconnected, ConnectionError.ConnectionFailed, status);
  }

  /**
   * Resumes the session, or ends it at once if the new token is another user's: until its timeout the service would
   * show the previous user online and in calls.
   */
  async #renewReady(link: Link): Promise<void> {
    const phase: Phase = { kind: 'leaving', link };
    this.#phase = phase;
    this.#readyAt = undefined;
    this.#report(ClientStatus.Reconnecting);
    // The status callback may have called `disconnect`.
    if (this.#phase !== phase) return;
    let token: string | undefined;
    let isElse = false;
    do {
      token = this.#host.token();
      isElse = token !== undefined && (await this.#host.isOfSomebodyElse(token));
    } while (token !== this.#host.token());
    // During the lookup the connection may have been lost, or the game may have called `disconnect`.
    if (this.#phase !== phase) return;
    if (isElse) this.#session = undefined;
    this.#drop(isElse ? FOR_GOOD : ABANDONED);
    void this.#open();
  }

  /** Sends the player's presence if there is a session and the session has another presence. */
  sendPresence(): void {
    if (this.#phase.kind !== 'linked' || !this.#phase.link.isReady) return;
    const presence = this.#presence();
    if (presence !== this.#sentPresence) this.#phase.link.send(Op.PRESENCE, JSON.parse(presence));
    this.#sentPresence = presence;
  }

  #presence(): string {
    const activity = this.#host.presence();
    return presenceOf(activity ? [activity] : [], this.#host.onlineStatus());
  }

  /** Sends the player's voice state: the call with mute and deaf; null leaves the call. No effect without a session. */
  speak(channelId: bigint | null, { mute, deaf }: { readonly mute: boolean; readonly deaf: boolean }): void {
    if (this.#phase.kind !== 'linked' || !this.#phase.link.isReady) return;
    this.#phase.link.send(Op.VOICE_STATE, {
      // Calls of lobbies belong to no guild, and a lobby has the same id as its channel.
      guild_id: null,
      channel_id: channelId === null ? null : String(channelId),
      self_mute: mute,
      self_deaf: deaf,
    });
  }

  /** Skips the delay before the next attempt. */
  #openNow({ timer }: Extract<Phase, { kind: 'waiting' }>): void {
    clearTimeout(timer);
    void this.#open();
  }

  async #open(): Promise<void> {
    const phase: Phase = { kind: 'asking' };
    this.#phase = phase;
    const token = this.#host.token();
    this.#used = '';
    // The service rejected the token in the meantime, in another request.
    if (token === undefined) return this.#lost(ConnectionError.ConnectionFailed, AUTHENTICATION_FAILED, '');
    try {
      const url = this.#session?.url ?? (await this.#host.address());
      checkSocketAddress('gateway', url);
      const socket = await this.#host.openSocket(`${url.replace(/\/+$/, '')}/?v=10&encoding=json`);
      // A socket that closes before it opens emits an error; its close event follows anyway.
      socket.onerror = () => {};
      if (this.#phase !== phase) return socket.close(FOR_GOOD);
      this.#link(socket);
    } catch (error) {
      if (this.#phase !== phase) return;
      const { message } = error as Error;
      this.#host.log.write(LoggingSeverity.Warning, `Connect: ${message}`);
      const status = error instanceof ApiError ? error.status : 0;
      this.#lost(ConnectionError.ConnectionFailed, status, status === 401 ? token : undefined);
    }
  }

  #link(socket: TextSocket): void {
    let hasReceived = false;
    const link: Link = new Link(socket, this.#session?.seq, {
      timeoutMs: () => this.#host.timeoutMs(),
      opened: () => {
        if (!this.#wasReady) this.#report(ClientStatus.Connected);
      },
      receive: (payload) => {
        hasReceived = true;
        this.#receive(link, payload);
      },
      unreadable: () =>
        this.#host.log.write(LoggingSeverity.Warning, 'Connect: the service said what cannot be read'),
      lost: (code, reason) => {
        if (reason !== '')
          this.#host.log.write(LoggingSeverity.Warning, `Connect: closed with ${code}: ${printable(reason)}`);
        if (SESSION_ENDED.has(code)) this.#session = undefined;
        // The address did not answer, so the gateway's current address is requested for the next attempt.
        else if (!hasReceived && this.#session !== undefined) this.#session.url = undefined;
        const error = this.#wasReady ? ConnectionError.UnexpectedClose : ConnectionError.ConnectionFailed;
        if (isHopeless(code)) this.#wasReady = false;
        this.#lost(error, code, code === AUTHENTICATION_FAILED ? this.#used : undefined);
      },
    });
    this.#phase = { kind: 'linked', link };
  }

  #receive(link: Link, { op, d, s, t }: Payload): void {
    switch (op) {
      case Op.HELLO:
        return this.#greet(link);
      case Op.DISPATCH:
        if (this.#session !== undefined && typeof s === 'number') this.#session.seq = s;
        return this.#dispatch(link, text(t), asData(d), typeof s === 'number' ? s : 0);
      case Op.INVALID_SESSION:
        if (d !== true) this.#session = undefined;
        return;
      default:
    }
  }

  #dispatch(link: Link, event: string, data: DispatchData, seq: number): void {
    // READY answers IDENTIFY, RESUMED answers RESUME.
    const isAnswer = event === 'READY' || event === 'RESUMED';
    if (isAnswer && (link.isReady || (event === 'RESUMED') !== (this.#session !== undefined)))
      return link.fail();
    if (event === 'READY') {
      const session = sessionIn(data, seq);
      if (session === undefined) return link.fail();
      this.#session = session;
    }
    this.#host.dispatch(event, data);
    // A callback of this event may have called `disconnect`.
    if (!isAnswer || link.isOver) return;
    link.ready();
    this.#wasReady = true;
    this.#readyAt = performance.now();
    // The presence may have changed while there was no connection.
    this.sendPresence();
    this.#report(ClientStatus.Ready);
  }

  #greet(link: Link): void {
    this.#used = this.#host.token() ?? '';
    const token = `Bearer ${this.#used}`;
    const session = this.#session;
    if (session !== undefined)
      return link.send(Op.RESUME, { token, session_id: session.id, seq: session.seq });
    this.#sentPresence = this.#presence();
    link.send(Op.IDENTIFY, {
      token,
      capabilities: AUTO_LOBBY_CONNECT,
      properties: { os: 'unknown', browser: 'footbridge/sdk', device: 'footbridge/sdk' },
      ...(this.#sentPresence === NOTHING ? {} : { presence: JSON.parse(this.#sentPresence) }),
    });
  }

  /**
   * Schedules the next attempt. Gives up without a valid token, and where the session was never ready.
   * @param refused the token that the service rejected
   */
  #lost(error: ConnectionError, detail: number, refused?: string): void {
    this.#drop(ABANDONED);
    const token = this.#host.token();
    const isRefused = refused !== undefined && (token === undefined || refused === token);
    // The game has presented another token in the meantime, so that token is tried at once.
    if (refused !== undefined && !isRefused && !this.#wasReady) return void this.#open();
    if (isRefused || !this.#wasReady) {
      this.#session = undefined;
      this.#report(ClientStatus.Disconnected, isRefused ? ConnectionError.ConnectionFailed : error, detail);
      // This call comes last, because in response a game may present another token and connect again.
      if (refused !== undefined) this.#host.refused(refused);
      return;
    }
    if (this.#readyAt !== undefined) {
      this.#dropped = performance.now() - this.#readyAt < LASTING_MS ? this.#dropped + 1 : 0;
      this.#waitMs = Math.min(FIRST_WAIT_MS * 2 ** this.#dropped, MAX_FIRST_WAIT_MS);
      this.#readyAt = undefined;
    }
    const timer = setTimeout(() => void this.#open(), this.#waitMs * (0.5 + Math.random() / 2));
    this.#waitMs = Math.min(2 * this.#waitMs, MAX_WAIT_MS);
    this.#phase = { kind: 'waiting', timer };
    this.#report(ClientStatus.Reconnecting, error, detail);
  }

  /** Returns whether the phase is `off` now; a callback may have changed the phase since the last check. */
  #isOff(): boolean {
    return this.#phase.kind === 'off';
  }

  #drop(code: number): void {
    const phase = this.#phase;
    this.#phase = OFF;
    if (phase.kind === 'waiting') clearTimeout(phase.timer);
    if (phase.kind === 'linked' || phase.kind === 'leaving') phase.link.close(code);
  }

  #report(status: ClientStatus, error: ConnectionError = ConnectionError.None, detail = 0): void {
    this.#host.status(status, error, detail);
  }
}

/** Returns the session in the data of READY; undefined when the data has no session id or no user. */
function sessionIn(data: DispatchData, seq: number): Session | undefined {
  const { session_id: id, resume_gateway_url: url } = data;
  if (typeof id !== 'string' || idOf(asData(data['user'])['id']) === 0n) return undefined;
  return { id, url: typeof url === 'string' ? url : undefined, seq };
}

function presenceOf(activities: readonly object[], status: string): string {
  return JSON.stringify({ since: null, activities, status, afk: false });
}
