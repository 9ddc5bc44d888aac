import { quietTimer } from '../client/limit.ts';
import { Call, type CallListeners, type CallSource, type SelfState } from './call.ts';
import { participantsOf } from './call-info.ts';
import { CallError, CallStatus } from './enums.ts';
import { idOf, type Raw } from './raw.ts';

/** Functions of {@link Calls} that one call needs. */
export interface CallHost {
  voiceStates(id: bigint): readonly Raw[];
  isMe(userId: bigint): boolean;
  /** Mute and deaf settings for all calls. */
  readonly all: SelfState;
  /** The status of a call changed. */
  moved(id: bigint, status: CallStatus): void;
  /** The mute or deaf setting of a call changed. */
  changed(call: OneCall): void;
}

/** A call that the player is in, enters or leaves. */
export class OneCall implements CallSource {
  readonly id: bigint;
  /** Origin of the call: the game began or continued it, or it came from the service. */
  origin: 'game' | 'service';
  readonly call: Call;
  /** Resolves when the call is over, with its error or None. */
  readonly over: Promise<CallError>;
  readonly #host: CallHost;
  readonly #present: Set<bigint>;
  #listeners: CallListeners | undefined;
  #end: (error: CallError) => void = () => {};
  #status: CallStatus = CallStatus.Joining;
  /** Mute and deaf settings that the game made for this call only. */
  #own: SelfState;
  /**
   * Last voice state that the service has sent; `#unconfirmed` has the later ones that the client has sent and the
   * service has not confirmed.
   */
  #confirmedState: string;
  #unconfirmed: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Error with which the call ends if the service does not confirm it. */
  #failure: CallError = CallError.JoinTimeout;

  constructor(id: bigint, origin: OneCall['origin'], host: CallHost) {
    this.id = id;
    this.origin = origin;
    this.#host = host;
    const mine = this.voiceStates.find((state) => host.isMe(idOf(state['user_id'])));
    this.#own = { mute: mine?.['self_mute'] === true, deaf: mine?.['self_deaf'] === true };
    this.#confirmedState = wordOf(this.#own);
    this.#present = new Set(participantsOf(this.voiceStates).filter((user) => !host.isMe(user)));
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.call = new Call(this, (listeners) => {
      this.#listeners = listeners;
    });
  }

  get status(): CallStatus {
    return this.#status;
  }

  get failure(): CallError {
    return this.#failure;
  }

  get self(): SelfState {
    const { all } = this.#host;
    return { mute: all.mute || this.#own.mute, deaf: all.deaf || this.#own.deaf };
  }

  get voiceStates(): readonly Raw[] {
    return this.#host.voiceStates(this.id);
  }

  change(self: Partial<SelfState>): void {
    const before = this.self;
    this.#own = { ...this.#own, ...self };
    if (before.mute !== this.self.mute || before.deaf !== this.self.deaf) this.#host.changed(this);
  }

  /** Records the current voice state as sent to the service. */
  recordSent(): void {
    const word = wordOf(this.self);
    if (word !== (this.#unconfirmed.at(-1) ?? this.#confirmedState)) this.#unconfirmed.push(word);
  }

  /** Handles a voice state of the player: it confirms a sent state, or it is a change by another device. */
  receiveOwnState(state: Raw): void {
    const now: SelfState = { mute: state['self_mute'] === true, deaf: state['self_deaf'] === true };
    this.#confirmedState = wordOf(now);
    if (this.#unconfirmed.length > 0) {
      // The service confirms this state and has skipped the states sent before it.
      this.#unconfirmed.splice(0, this.#unconfirmed.indexOf(this.#confirmedState) + 1);
      return;
    }
    const { all } = this.#host;
    this.#own = { mute: all.mute ? this.#own.mute : now.mute, deaf: all.deaf ? this.#own.deaf : now.deaf };
  }

  /** Notifies the game of the new call's status. */
  begin(): void {
    this.#notify(CallError.None);
  }

  /** Changes the status. Disconnecting can only become Disconnected, which is final. */
  to(status: CallStatus, error: CallError = CallError.None): void {
    if (status === this.#status || this.#status === CallStatus.Disconnected) return;
    if (this.#status === CallStatus.Disconnecting && status !== CallStatus.Disconnected) return;
    this.#status = status;
    if (status === CallStatus.Disconnected) {
      this.forgetTimer();
      this.#end(error);
    }
    this.#notify(error);
  }

  /** Records that the service confirms the player's presence in the call. */
  entered(): void {
    if (this.#status === CallStatus.Disconnecting) return;
    this.forgetTimer();
    this.#failure = CallError.SignalingUnexpectedClose;
    if (this.#status !== CallStatus.Joining) return;
    this.to(CallStatus.Connecting);
    this.to(CallStatus.SignalingConnected);
  }

  /**
   * Calls `late` unless the call makes progress within `ms` milliseconds. The timer does not keep the process alive.
   */
  within(ms: number, late: () => void): void {
    this.forgetTimer();
    this.#timer = quietTimer(late, ms);
  }

  forgetTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Handles a user's entry, exit or change of mute or deaf. */
  updateParticipant(user: bigint, isIn: boolean): void {
    const wasIn = this.#present.has(user);
    if (isIn) this.#present.add(user);
    else this.#present.delete(user);
    if (wasIn !== isIn) this.#listeners?.participant(user, isIn);
    else if (isIn) this.#listeners?.voiceState(user);
  }

  /**
   * Compares the participants with the participants of a new session and notifies the game of changes. The player is
   * excluded, because the status of the call covers the player.
   */
  compare(): void {
    this.#unconfirmed = [];
    const now = new Set(participantsOf(this.voiceStates));
    const others = [...new Set([...this.#present, ...now])].filter((user) => !this.#host.isMe(user));
    for (const user of others)
      if (this.#present.has(user) !== now.has(user)) this.updateParticipant(user, now.has(user));
  }

  #notify(error: CallError): void {
    const status = this.#status;
    this.#listeners?.status(status, error);
    this.#host.moved(this.id, status);
  }
}

function wordOf({ mute, deaf }: SelfState): string {
  return `${mute} ${deaf}`;
}
