import { quietTimer } from '../client/limit.ts';
import { Call, type CallListeners, type KeptCall, type SelfState } from './call.ts';
import { participantsOf } from './call-info.ts';
import { CallError, CallStatus } from './enums.ts';
import { idOf } from './raw.ts';
import type { Raw } from './service.ts';

/** What one call needs of them all. */
export interface CallKeeper {
  voiceStates(id: bigint): readonly Raw[];
  isMe(userId: bigint): boolean;
  /** What is set for all calls. */
  readonly all: SelfState;
  /** A call is further, or less far. */
  moved(id: bigint, status: CallStatus): void;
  /** The player is to be heard in another way in a call. */
  changed(call: OneCall): void;
}

/** A call that the player is in, is coming into, or leaves. */
export class OneCall implements KeptCall {
  readonly id: bigint;
  /** Who began it, or has gone on with it. */
  origin: 'game' | 'service';
  readonly call: Call;
  /** Resolves with the error, or none, once it is over. */
  readonly over: Promise<CallError>;
  readonly #keeper: CallKeeper;
  readonly #present: Set<bigint>;
  #tell: CallListeners | undefined;
  #end: (error: CallError) => void = () => {};
  #status: CallStatus = CallStatus.Joining;
  /** As the game set it for this call alone. */
  #own: SelfState;
  /** As the service told it last, and what it was told since that it has not told back. */
  #toldSelf: string;
  #unheard: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What it ends with where the service does not say that the player is in it. */
  #failure: CallError = CallError.JoinTimeout;

  constructor(id: bigint, origin: OneCall['origin'], keeper: CallKeeper) {
    this.id = id;
    this.origin = origin;
    this.#keeper = keeper;
    const mine = this.voiceStates.find((state) => keeper.isMe(idOf(state['user_id'])));
    this.#own = { mute: mine?.['self_mute'] === true, deaf: mine?.['self_deaf'] === true };
    this.#toldSelf = wordOf(this.#own);
    this.#present = new Set(participantsOf(this.voiceStates).filter((user) => !keeper.isMe(user)));
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.call = new Call(this, (tell) => {
      this.#tell = tell;
    });
  }

  get status(): CallStatus {
    return this.#status;
  }

  get failure(): CallError {
    return this.#failure;
  }

  get self(): SelfState {
    const { all } = this.#keeper;
    return { mute: all.mute || this.#own.mute, deaf: all.deaf || this.#own.deaf };
  }

  get voiceStates(): readonly Raw[] {
    return this.#keeper.voiceStates(this.id);
  }

  change(self: Partial<SelfState>): void {
    const before = this.self;
    this.#own = { ...this.#own, ...self };
    if (before.mute !== this.self.mute || before.deaf !== this.self.deaf) this.#keeper.changed(this);
  }

  /** The service is told so. */
  said(): void {
    const word = wordOf(this.self);
    if (word !== (this.#unheard.at(-1) ?? this.#toldSelf)) this.#unheard.push(word);
  }

  /** So the player is heard, as the service says: what was said here comes back, anything else another device has said. */
  heardSelf(state: Raw): void {
    const now: SelfState = { mute: state['self_mute'] === true, deaf: state['self_deaf'] === true };
    this.#toldSelf = wordOf(now);
    if (this.#unheard.length > 0) {
      // What comes before that is older than it.
      this.#unheard.splice(0, this.#unheard.indexOf(this.#toldSelf) + 1);
      return;
    }
    const { all } = this.#keeper;
    this.#own = { mute: all.mute ? this.#own.mute : now.mute, deaf: all.deaf ? this.#own.deaf : now.deaf };
  }

  /** Tells that it has begun. */
  begin(): void {
    this.#told(CallError.None);
  }

  /** One that is being left can only end, and one that is over is nothing else any more. */
  to(status: CallStatus, error: CallError = CallError.None): void {
    if (status === this.#status || this.#status === CallStatus.Disconnected) return;
    if (this.#status === CallStatus.Disconnecting && status !== CallStatus.Disconnected) return;
    this.#status = status;
    if (status === CallStatus.Disconnected) {
      this.forgetTimer();
      this.#end(error);
    }
    this.#told(error);
  }

  /** The service says that the player is in it. */
  entered(): void {
    if (this.#status === CallStatus.Disconnecting) return;
    this.forgetTimer();
    this.#failure = CallError.SignalingUnexpectedClose;
    if (this.#status !== CallStatus.Joining) return;
    this.to(CallStatus.Connecting);
    this.to(CallStatus.SignalingConnected);
  }

  /** Calls back where nothing comes of it in so many milliseconds. The timer keeps no process alive. */
  within(ms: number, late: () => void): void {
    this.forgetTimer();
    this.#timer = quietTimer(late, ms);
  }

  forgetTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Somebody comes, leaves, or is heard in another way. */
  heard(user: bigint, isIn: boolean): void {
    const wasIn = this.#present.has(user);
    if (isIn) this.#present.add(user);
    else this.#present.delete(user);
    if (wasIn !== isIn) this.#tell?.participant(user, isIn);
    else if (isIn) this.#tell?.voiceState(user);
  }

  /** A new session was told all that there is: who came and left meanwhile. Of the player the status says it. */
  compare(): void {
    this.#unheard = [];
    const now = new Set(participantsOf(this.voiceStates));
    const others = [...new Set([...this.#present, ...now])].filter((user) => !this.#keeper.isMe(user));
    for (const user of others) if (this.#present.has(user) !== now.has(user)) this.heard(user, now.has(user));
  }

  #told(error: CallError): void {
    const status = this.#status;
    this.#tell?.status(status, error);
    this.#keeper.moved(this.id, status);
  }
}

function wordOf({ mute, deaf }: SelfState): string {
  return `${mute} ${deaf}`;
}
