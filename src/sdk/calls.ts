import type { Call, SelfState } from './call.ts';
import type { Callbacks } from './callbacks.ts';
import { CallError, CallStatus, ClientStatus, ErrorType, LoggingSeverity } from './enums.ts';
import type { Lobbies } from './lobbies.ts';
import type { Log } from './log.ts';
import { type CallKeeper, OneCall } from './one-call.ts';
import { Failed } from './outcome.ts';
import { idOf, member } from './raw.ts';
import type { Raw } from './service.ts';
import type { Users } from './users.ts';

/** What calls need of the client. */
export interface CallsHost {
  readonly log: Log;
  readonly lobbies: Lobbies;
  readonly users: Users;
  readonly callbacks: Callbacks;
  /** How far the session is. */
  status(): ClientStatus;
  /** Milliseconds until something that was asked for has to be there. */
  timeoutMs(): number;
  /** Tells the service in which call the player is, and how they are heard there; null: in none. */
  say(channelId: bigint | null, self: SelfState): void;
}

const OPEN: SelfState = { mute: false, deaf: false };

/**
 * The calls that the player is in, as the service tells. While the connection is lost a call reconnects, and is connected
 * again where the service still says so afterwards; it was ended before the SDK's release 1.6. One that the game began is asked
 * for again where the service has forgotten it. The service keeps a player in one call, whichever device began it: the next one ends
 * it, and any device may go on with it or end it.
 */
export class Calls implements CallKeeper {
  readonly #host: CallsHost;
  readonly #calls = new Map<bigint, OneCall>();
  /** The one that the service was asked for last, and is asked for again. */
  #own: OneCall | undefined;
  #all: SelfState = OPEN;

  constructor(host: CallsHost) {
    this.#host = host;
  }

  get all(): SelfState {
    return this.#all;
  }

  list(): Call[] {
    return [...this.#calls.values()].map(({ call }) => call);
  }

  get(channelId: bigint): Call | undefined {
    return this.#calls.get(channelId)?.call;
  }

  /** Begins the call of a lobby; undefined where that cannot be, and a log line says why. */
  start(channelId: bigint): Call | undefined {
    const why = this.#whyNot(channelId);
    if (why !== undefined) {
      this.#host.log.tell(LoggingSeverity.Warning, `StartCall: ${why}`);
      return undefined;
    }
    const known = this.#calls.get(channelId);
    if (known !== undefined) return this.#adopt(known).call;
    const one = new OneCall(channelId, 'game', this);
    this.#calls.set(channelId, one);
    this.#own = one;
    this.#ask(one);
    one.begin();
    return one.call;
  }

  /** The game goes on with one that another device began, or the game itself before it was killed. */
  #adopt(one: OneCall): OneCall {
    one.origin = 'game';
    this.#own = one;
    this.#say(one);
    return one;
  }

  /** Ends the call of a lobby. Resolves once it is over; rejects with Failed where the service does not say so. */
  async leave(channelId: bigint): Promise<void> {
    const one = this.#calls.get(channelId);
    if (one !== undefined) await this.#leave([one]);
  }

  /** The same of all. */
  leaveAll(): Promise<void> {
    return this.#leave([...this.#calls.values()]);
  }

  /** From now on so in all calls, whatever is set for each. */
  setAll(self: Partial<SelfState>): void {
    const before = new Map([...this.#calls.values()].map((one) => [one, one.self]));
    this.#all = { ...this.#all, ...self };
    for (const [one, { mute, deaf }] of before)
      if (mute !== one.self.mute || deaf !== one.self.deaf) this.changed(one);
  }

  voiceStates(id: bigint): readonly Raw[] {
    return this.#host.lobbies.voiceStates(id);
  }

  isMe(userId: bigint): boolean {
    return userId === idOf(member(this.#host.users.me, 'id'));
  }

  moved(id: bigint, status: CallStatus): void {
    this.#host.callbacks.tell('SetCallStatusChangedCallback', id, status);
  }

  changed(one: OneCall): void {
    if (one.status === CallStatus.Disconnecting || this.#calls.get(one.id) !== one) return;
    // To name another one is to come into it.
    if (this.#own === undefined || this.#own === one) this.#say(one);
  }

  /** The connection is lost, there again, or over. */
  connection(status: ClientStatus): void {
    if (status === ClientStatus.Ready) return this.#compare();
    for (const one of [...this.#calls.values()]) {
      if (status === ClientStatus.Reconnecting) {
        // That it ends is waited for no longer than before.
        if (one.status !== CallStatus.Disconnecting) one.forgetTimer();
        one.to(CallStatus.Reconnecting);
      } else if (status === ClientStatus.Disconnecting) one.to(CallStatus.Disconnecting);
      else if (status === ClientStatus.Disconnected) {
        const isWanted = one.status === CallStatus.Disconnecting;
        this.#end(one, isWanted ? CallError.None : CallError.SignalingUnexpectedClose);
      }
    }
  }

  /** Takes what the gateway says of calls; the lobbies have heard it before. */
  hear(event: string, data: Raw): void {
    const id = idOf(data['lobby_id'] ?? data['id']);
    const known = this.#calls.get(id);
    if (event === 'LOBBY_DELETE') return known && this.#end(known, CallError.None);
    if (event === 'LOBBY_VOICE_SERVER_UPDATE') {
      known?.entered();
      return known?.to(CallStatus.Connected);
    }
    if (event !== 'LOBBY_VOICE_STATE_UPDATE') return;
    const user = idOf(data['user_id']);
    const isIn = data['channel_id'] !== null;
    if (id === 0n || user === 0n) return;
    const isMe = this.isMe(user);
    const one = known ?? (isMe && isIn && this.#host.lobbies.has(id) ? this.#begin(id) : undefined);
    one?.heard(user, isIn);
    if (!isMe) return;
    if (isIn) {
      one?.entered();
      one?.heardSelf(data);
    } else if (one !== undefined) this.#end(one, CallError.None);
  }

  #whyNot(channelId: bigint): string | undefined {
    if (this.#host.status() !== ClientStatus.Ready)
      return 'there is no session; wait until the status is Ready';
    if (!this.#host.lobbies.ids().includes(channelId))
      return `channelId: ${channelId} is no lobby that the player is in`;
    const known = this.#calls.get(channelId);
    if (known === undefined || (known.origin === 'service' && known.status === CallStatus.Connected))
      return undefined;
    return 'the player is in that call already';
  }

  /** One that the service began. */
  #begin(id: bigint): OneCall {
    const one = new OneCall(id, 'service', this);
    this.#calls.set(id, one);
    one.begin();
    if (this.#all.mute || this.#all.deaf) this.changed(one);
    return one;
  }

  #ask(one: OneCall): void {
    one.within(this.#host.timeoutMs(), () => {
      this.#end(one, one.failure);
      // Should the service take it later.
      if (this.#calls.size === 0) this.#say(undefined);
    });
    this.#say(one);
  }

  async #leave(calls: readonly OneCall[]): Promise<void> {
    const going = new Set(calls.filter(({ status }) => status !== CallStatus.Disconnecting));
    const own = this.#own;
    const isLeft =
      own !== undefined && !calls.includes(own) && calls.every(({ origin }) => origin === 'game');
    // To have come into another one was to leave these.
    if (going.size > 0 && !isLeft) {
      this.#own = undefined;
      this.#say(undefined);
      // The word for leaving names no lobby.
      if (own !== undefined) going.add(own);
    }
    for (const one of going) {
      one.within(this.#host.timeoutMs(), () => this.#end(one, CallError.SignalingUnexpectedClose));
      one.to(CallStatus.Disconnecting);
    }
    const errors = await Promise.all(calls.map(({ over }) => over));
    if (errors.every((error) => error === CallError.None)) return;
    throw new Failed(ErrorType.NetworkError, 'The service did not say in time that the call is over');
  }

  /** There is a session: holds what it was told against the calls. */
  #compare(): void {
    for (const id of this.#host.lobbies.ids())
      if (this.#isIn(id) && !this.#calls.has(id)) this.#begin(id).entered();
    for (const one of [...this.#calls.values()]) {
      const isIn = this.#isIn(one.id);
      one.compare();
      if (one.status === CallStatus.Disconnecting) {
        if (!isIn) this.#end(one, CallError.None);
        else if (this.#own === undefined) this.#say(undefined);
      } else if (isIn) {
        one.entered();
        one.to(CallStatus.Connected);
        // By a session that is over, it may be.
        if (one === this.#own) this.#say(one);
      } else if (one === this.#own && this.#host.lobbies.ids().includes(one.id)) this.#ask(one);
      else this.#end(one, CallError.SignalingUnexpectedClose);
    }
  }

  #say(one: OneCall | undefined): void {
    if (this.#host.status() !== ClientStatus.Ready) return;
    if (one === undefined) return this.#host.say(null, OPEN);
    one.said();
    this.#host.say(one.id, one.self);
  }

  #end(one: OneCall, error: CallError): void {
    if (this.#calls.get(one.id) === one) this.#calls.delete(one.id);
    if (this.#own === one) this.#own = undefined;
    one.to(CallStatus.Disconnected, error);
  }

  #isIn(id: bigint): boolean {
    return this.voiceStates(id).some((state) => this.isMe(idOf(state['user_id'])));
  }
}
