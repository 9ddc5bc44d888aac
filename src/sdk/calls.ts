import type { Call, SelfState } from './call.ts';
import type { Callbacks } from './callbacks.ts';
import { CallError, CallStatus, ClientStatus, ErrorType, LoggingSeverity } from './enums.ts';
import type { Lobbies } from './lobbies.ts';
import type { Log } from './log.ts';
import { type CallHost, OneCall } from './one-call.ts';
import { Failed } from './outcome.ts';
import { idOf, member, type Raw } from './raw.ts';
import type { Users } from './users.ts';

/** Parts of the client that calls need. */
export interface CallsHost {
  readonly log: Log;
  readonly lobbies: Lobbies;
  readonly users: Users;
  readonly callbacks: Callbacks;
  status(): ClientStatus;
  /** Milliseconds until a request times out. */
  timeoutMs(): number;
  /** Sends the player's voice state to the service: the call with mute and deaf; null leaves the call. */
  sendVoiceState(channelId: bigint | null, self: SelfState): void;
}

const OPEN: SelfState = { mute: false, deaf: false };

/**
 * The calls that the player is in, according to the events of the service. While the connection is lost, a call is
 * Reconnecting; afterwards it is Connected again if the service still has it (before release 1.6 of the SDK the call
 * ended). A call that the game began is requested again when the service no longer has it.
 *
 * The service allows a player one call across all devices: a new call ends the previous one, and any device may
 * continue or end a call.
 */
export class Calls implements CallHost {
  readonly #host: CallsHost;
  readonly #calls = new Map<bigint, OneCall>();
  /** The call that the game requested last; it is requested again in a new session. */
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

  /** Begins the call of a lobby. Returns undefined when the call cannot begin; a log line has the reason. */
  start(channelId: bigint): Call | undefined {
    const why = this.#whyNot(channelId);
    if (why !== undefined) {
      this.#host.log.write(LoggingSeverity.Warning, `StartCall: ${why}`);
      return undefined;
    }
    const known = this.#calls.get(channelId);
    if (known !== undefined) return this.#adopt(known).call;
    const one = new OneCall(channelId, 'game', this);
    this.#calls.set(channelId, one);
    this.#own = one;
    this.#requestJoin(one);
    one.begin();
    return one.call;
  }

  /** Continues a call that another device began, or that the game began before it was killed. */
  #adopt(one: OneCall): OneCall {
    one.origin = 'game';
    this.#own = one;
    this.#sendVoiceState(one);
    return one;
  }

  /**
   * Leaves the call of a lobby. Resolves when the call is over; rejects with Failed when the service does not confirm
   * the end in time.
   */
  async leave(channelId: bigint): Promise<void> {
    const one = this.#calls.get(channelId);
    if (one !== undefined) await this.#leave([one]);
  }

  leaveAll(): Promise<void> {
    return this.#leave([...this.#calls.values()]);
  }

  /** Changes the settings for all present and future calls; they are combined with each call's own settings. */
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
    this.#host.callbacks.notify('SetCallStatusChangedCallback', id, status);
  }

  changed(one: OneCall): void {
    if (one.status === CallStatus.Disconnecting || this.#calls.get(one.id) !== one) return;
    // A voice state moves the player into its call, so none is sent for a call other than the current one.
    if (this.#own === undefined || this.#own === one) this.#sendVoiceState(one);
  }

  /** Handles a status change of the connection to the service. */
  connection(status: ClientStatus): void {
    if (status === ClientStatus.Ready) return this.#compare();
    for (const one of [...this.#calls.values()]) {
      if (status === ClientStatus.Reconnecting) {
        // A reconnect does not extend the time limit for leaving.
        if (one.status !== CallStatus.Disconnecting) one.forgetTimer();
        one.to(CallStatus.Reconnecting);
      } else if (status === ClientStatus.Disconnecting) one.to(CallStatus.Disconnecting);
      else if (status === ClientStatus.Disconnected) {
        const isWanted = one.status === CallStatus.Disconnecting;
        this.#end(one, isWanted ? CallError.None : CallError.SignalingUnexpectedClose);
      }
    }
  }

  /** Handles the gateway's events of calls, after the lobbies have handled them. */
  handleEvent(event: string, data: Raw): void {
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
    one?.updateParticipant(user, isIn);
    if (!isMe) return;
    if (isIn) {
      one?.entered();
      one?.receiveOwnState(data);
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

  #begin(id: bigint): OneCall {
    const one = new OneCall(id, 'service', this);
    this.#calls.set(id, one);
    one.begin();
    if (this.#all.mute || this.#all.deaf) this.changed(one);
    return one;
  }

  #requestJoin(one: OneCall): void {
    one.within(this.#host.timeoutMs(), () => {
      this.#end(one, one.failure);
      // The service may still accept the request after the timeout; this voice state leaves the call then.
      if (this.#calls.size === 0) this.#sendVoiceState(undefined);
    });
    this.#sendVoiceState(one);
  }

  async #leave(calls: readonly OneCall[]): Promise<void> {
    const going = new Set(calls.filter(({ status }) => status !== CallStatus.Disconnecting));
    const own = this.#own;
    const isLeft =
      own !== undefined && !calls.includes(own) && calls.every(({ origin }) => origin === 'game');
    // When the player has entered another call since, the service has already ended these calls.
    if (going.size > 0 && !isLeft) {
      this.#own = undefined;
      this.#sendVoiceState(undefined);
      // A voice state without a channel leaves the player's call in any lobby, also one that is not in the list.
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

  /** Updates the calls from the lobbies of a new session. */
  #compare(): void {
    for (const id of this.#host.lobbies.ids())
      if (this.#isIn(id) && !this.#calls.has(id)) this.#begin(id).entered();
    for (const one of [...this.#calls.values()]) {
      const isIn = this.#isIn(one.id);
      one.compare();
      if (one.status === CallStatus.Disconnecting) {
        if (!isIn) this.#end(one, CallError.None);
        else if (this.#own === undefined) this.#sendVoiceState(undefined);
      } else if (isIn) {
        one.entered();
        one.to(CallStatus.Connected);
        // The voice state that the service has may belong to a previous session.
        if (one === this.#own) this.#sendVoiceState(one);
      } else if (one === this.#own && this.#host.lobbies.ids().includes(one.id)) this.#requestJoin(one);
      else this.#end(one, CallError.SignalingUnexpectedClose);
    }
  }

  #sendVoiceState(one: OneCall | undefined): void {
    if (this.#host.status() !== ClientStatus.Ready) return;
    if (one === undefined) return this.#host.sendVoiceState(null, OPEN);
    one.recordSent();
    this.#host.sendVoiceState(one.id, one.self);
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
