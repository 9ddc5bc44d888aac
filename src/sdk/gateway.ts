import { ApiError } from '../client/http.ts';
import { printable } from '../client/printable.ts';
import { checkSocketAddress, type TextSocket } from '../client/text-socket.ts';
import { ClientStatus, ConnectionError, LoggingSeverity } from './enums.ts';
import { GIVEN_UP, Link, Op, type Payload, type Told, told } from './gateway-link.ts';
import type { Log } from './log.ts';
import { idOf, text } from './raw.ts';

export type { Told } from './gateway-link.ts';

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
  /** The service does not take this token any more. */
  refused(token: string): void;
  /** Whether a token is of somebody else than the session. Never rejects. */
  isOfSomebodyElse(token: string): Promise<boolean>;
}

/** Lobbies come with READY, and not one by one. */
const AUTO_LOBBY_CONNECT = 1 << 16;
const AUTHENTICATION_FAILED = 4004;
/** With this the session is over: the service keeps nothing of it. */
const FOR_GOOD = 1000;
/** The service takes nothing of what such a session is, now or later. */
const isHopeless = (code: number): boolean => code >= 4010 && code <= 4014;
/** The session cannot be gone on with after these. */
const SESSION_ENDED: ReadonlySet<number> = new Set([4003, 4007, 4009, AUTHENTICATION_FAILED]);
/** From so long (ms) on, doubled each time, until so long. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;
/** A session that was there for less than this (ms) was dropped: each more in a row doubles the first wait, up to the other. */
const LASTING_MS = 1000;
const LONGEST_FIRST_WAIT_MS = 5000;

interface Session {
  readonly id: string;
  /** Undefined once nobody was found there: then it is asked for. */
  url: string | undefined;
  seq: number;
}

type Phase =
  | { readonly kind: 'off' }
  /** The address is asked for, or the socket is being made. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'linked'; readonly link: Link }
  /** There is another token, and it is asked whose that is. */
  | { readonly kind: 'leaving'; readonly link: Link }
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
  /** Since when the session is there (ms of a monotonic clock); undefined while it is not. */
  #readyAt: number | undefined;
  /** Sessions in a row that were dropped at once. */
  #dropped = 0;
  /** The token that was presented last. */
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
    this.#tell(ClientStatus.Connecting);
    // Whoever was told may have thought better of it.
    if (this.#phase === phase) void this.#open();
  }

  /** Leaves for good: the session is over. */
  disconnect(): void {
    if (this.#phase.kind === 'off') return;
    this.#session = undefined;
    this.#drop(FOR_GOOD);
    this.#tell(ClientStatus.Disconnecting);
    // Whoever was told may have begun anew.
    if (this.#isOff()) this.#tell(ClientStatus.Disconnected);
  }

  /** There is another token: the session is gone on with by it, or begun anew where it is somebody else's. */
  renew(): void {
    if (this.#phase.kind === 'waiting') return this.#openNow(this.#phase);
    if (this.#phase.kind !== 'linked' || this.#used === '' || this.#used === this.#host.token()) return;
    if (this.#wasReady && this.#session !== undefined) return void this.#renewReady(this.#phase.link);
    // It was not heard yet whose session it is, so that there is nothing to go on with.
    this.#drop(this.#session === undefined ? FOR_GOOD : GIVEN_UP);
    void this.#open();
  }

  /** The service does not take the session's token any more, as an answer of it says by its status. */
  refuse(status: number): void {
    if (this.#phase.kind === 'off') return;
    this.#session = undefined;
    this.#drop(FOR_GOOD);
    this.#tell(ClientStatus.Disconnected, ConnectionError.ConnectionFailed, status);
  }

  /** The session of somebody else is over at once: they would be seen, and be in calls, until the service gives it up. */
  async #renewReady(link: Link): Promise<void> {
    const phase: Phase = { kind: 'leaving', link };
    this.#phase = phase;
    this.#readyAt = undefined;
    this.#tell(ClientStatus.Reconnecting);
    // Whoever was told may have left.
    if (this.#phase !== phase) return;
    let token: string | undefined;
    let isElse = false;
    do {
      token = this.#host.token();
      isElse = token !== undefined && (await this.#host.isOfSomebodyElse(token));
    } while (token !== this.#host.token());
    // Meanwhile the line was cut, or the game has left.
    if (this.#phase !== phase) return;
    if (isElse) this.#session = undefined;
    this.#drop(isElse ? FOR_GOOD : GIVEN_UP);
    void this.#open();
  }

  /** Shows of the player what is to be shown now, if there is a session and it shows something else. */
  show(): void {
    if (this.#phase.kind !== 'linked' || !this.#phase.link.isReady) return;
    const presence = this.#presence();
    if (presence !== this.#shown) this.#phase.link.say(Op.PRESENCE, JSON.parse(presence));
    this.#shown = presence;
  }

  #presence(): string {
    const activity = this.#host.presence();
    return presenceOf(activity ? [activity] : [], this.#host.onlineStatus());
  }

  /** Says in which call the player is, and how they are heard there; null: in none. Only while there is a session. */
  speak(channelId: bigint | null, { mute, deaf }: { readonly mute: boolean; readonly deaf: boolean }): void {
    if (this.#phase.kind !== 'linked' || !this.#phase.link.isReady) return;
    this.#phase.link.say(Op.VOICE_STATE, {
      // Calls of lobbies are in no guild, and the id of a lobby is that of its channel.
      guild_id: null,
      channel_id: channelId === null ? null : String(channelId),
      self_mute: mute,
      self_deaf: deaf,
    });
  }

  /** Somebody wants it now. */
  #openNow({ timer }: Extract<Phase, { kind: 'waiting' }>): void {
    clearTimeout(timer);
    void this.#open();
  }

  async #open(): Promise<void> {
    const phase: Phase = { kind: 'asking' };
    this.#phase = phase;
    const token = this.#host.token();
    this.#used = '';
    // It was refused elsewhere meanwhile.
    if (token === undefined) return this.#lost(ConnectionError.ConnectionFailed, AUTHENTICATION_FAILED, '');
    try {
      const url = this.#session?.url ?? (await this.#host.address());
      checkSocketAddress('gateway', url);
      const socket = await this.#host.openSocket(`${url.replace(/\/+$/, '')}/?v=10&encoding=json`);
      // From the first moment on: one that is closed before it is open says so, and its end is told anyway.
      socket.onerror = () => {};
      if (this.#phase !== phase) return socket.close(FOR_GOOD);
      this.#link(socket);
    } catch (error) {
      if (this.#phase !== phase) return;
      const { message } = error as Error;
      this.#host.log.tell(LoggingSeverity.Warning, `Connect: ${message}`);
      const status = error instanceof ApiError ? error.status : 0;
      this.#lost(ConnectionError.ConnectionFailed, status, status === 401 ? token : undefined);
    }
  }

  #link(socket: TextSocket): void {
    let wasHeard = false;
    const link: Link = new Link(socket, this.#session?.seq, {
      timeoutMs: () => this.#host.timeoutMs(),
      opened: () => {
        if (!this.#wasReady) this.#tell(ClientStatus.Connected);
      },
      hear: (payload) => {
        wasHeard = true;
        this.#hear(link, payload);
      },
      unreadable: () =>
        this.#host.log.tell(LoggingSeverity.Warning, 'Connect: the service said what cannot be read'),
      lost: (code, reason) => {
        if (reason !== '')
          this.#host.log.tell(LoggingSeverity.Warning, `Connect: closed with ${code}: ${printable(reason)}`);
        if (SESSION_ENDED.has(code)) this.#session = undefined;
        // Nobody is there: where the gateway is now is asked for.
        else if (!wasHeard && this.#session !== undefined) this.#session.url = undefined;
        const error = this.#wasReady ? ConnectionError.UnexpectedClose : ConnectionError.ConnectionFailed;
        if (isHopeless(code)) this.#wasReady = false;
        this.#lost(error, code, code === AUTHENTICATION_FAILED ? this.#used : undefined);
      },
    });
    this.#phase = { kind: 'linked', link };
  }

  #hear(link: Link, { op, d, s, t }: Payload): void {
    switch (op) {
      case Op.HELLO:
        return this.#greet(link);
      case Op.DISPATCH:
        if (this.#session !== undefined && typeof s === 'number') this.#session.seq = s;
        return this.#dispatch(link, text(t), told(d), typeof s === 'number' ? s : 0);
      case Op.INVALID_SESSION:
        if (d !== true) this.#session = undefined;
        return;
      default:
    }
  }

  #dispatch(link: Link, event: string, data: Told, seq: number): void {
    // Whoever identified themselves is told READY, and whoever goes on RESUMED.
    const isAnswer = event === 'READY' || event === 'RESUMED';
    if (isAnswer && (link.isReady || (event === 'RESUMED') !== (this.#session !== undefined)))
      return link.fail();
    if (event === 'READY') {
      const session = sessionIn(data, seq);
      if (session === undefined) return link.fail();
      this.#session = session;
    }
    this.#host.dispatch(event, data);
    // Whoever was told may have left.
    if (!isAnswer || link.isOver) return;
    link.ready();
    this.#wasReady = true;
    this.#readyAt = performance.now();
    // What was to be shown may have changed while there was no connection.
    this.show();
    this.#tell(ClientStatus.Ready);
  }

  #greet(link: Link): void {
    this.#used = this.#host.token() ?? '';
    const token = `Bearer ${this.#used}`;
    const session = this.#session;
    if (session !== undefined)
      return link.say(Op.RESUME, { token, session_id: session.id, seq: session.seq });
    this.#shown = this.#presence();
    link.say(Op.IDENTIFY, {
      token,
      capabilities: AUTO_LOBBY_CONNECT,
      properties: { os: 'unknown', browser: 'footbridge/sdk', device: 'footbridge/sdk' },
      ...(this.#shown === NOTHING ? {} : { presence: JSON.parse(this.#shown) }),
    });
  }

  /**
   * Tries again, or not: without ever having been ready, and without a token that is taken, nothing is to be hoped for.
   * @param refused the token that is not taken
   */
  #lost(error: ConnectionError, detail: number, refused?: string): void {
    this.#drop(GIVEN_UP);
    const token = this.#host.token();
    const isRefused = refused !== undefined && (token === undefined || refused === token);
    // Another one was presented meanwhile.
    if (refused !== undefined && !isRefused && !this.#wasReady) return void this.#open();
    if (isRefused || !this.#wasReady) {
      this.#session = undefined;
      this.#tell(ClientStatus.Disconnected, isRefused ? ConnectionError.ConnectionFailed : error, detail);
      // Last, because a game may have another token at hand and connect anew.
      if (refused !== undefined) this.#host.refused(refused);
      return;
    }
    if (this.#readyAt !== undefined) {
      this.#dropped = performance.now() - this.#readyAt < LASTING_MS ? this.#dropped + 1 : 0;
      this.#waitMs = Math.min(FIRST_WAIT_MS * 2 ** this.#dropped, LONGEST_FIRST_WAIT_MS);
      this.#readyAt = undefined;
    }
    const timer = setTimeout(() => void this.#open(), this.#waitMs * (0.5 + Math.random() / 2));
    this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
    this.#phase = { kind: 'waiting', timer };
    this.#tell(ClientStatus.Reconnecting, error, detail);
  }

  /** As it is now: whoever was told something may have changed it. */
  #isOff(): boolean {
    return this.#phase.kind === 'off';
  }

  #drop(code: number): void {
    const phase = this.#phase;
    this.#phase = OFF;
    if (phase.kind === 'waiting') clearTimeout(phase.timer);
    if (phase.kind === 'linked' || phase.kind === 'leaving') phase.link.close(code);
  }

  #tell(status: ClientStatus, error: ConnectionError = ConnectionError.None, detail = 0): void {
    this.#host.status(status, error, detail);
  }
}

/** The session that READY names; undefined where it names none. */
function sessionIn(data: Told, seq: number): Session | undefined {
  const { session_id: id, resume_gateway_url: url } = data;
  if (typeof id !== 'string' || idOf(told(data['user'])['id']) === 0n) return undefined;
  return { id, url: typeof url === 'string' ? url : undefined, seq };
}

function presenceOf(activities: readonly object[], status: string): string {
  return JSON.stringify({ since: null, activities, status, afk: false });
}
