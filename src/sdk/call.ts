import { callBack } from './call-back.ts';
import { participantsOf, type VoiceStateHandle, voiceStateOf } from './call-info.ts';
import { CallError, CallStatus } from './enums.ts';
import { Printed } from './printed.ts';
import type { Raw } from './service.ts';
import { flag, type Id, nameOf, optionalCallable, uint64 } from './values.ts';

/** Called when a call is further or less far than before. */
export type CallStatusCallback = (status: CallStatus, error: CallError, errorDetail: number) => void;

/** What the game has set of the player's own microphone and ears. */
export interface SelfState {
  readonly mute: boolean;
  readonly deaf: boolean;
}

/** A call as its client keeps it. */
export interface KeptCall {
  readonly id: bigint;
  readonly status: CallStatus;
  /** Of the player, with what was set for all calls. */
  readonly self: SelfState;
  /** Of everybody who is in it. */
  readonly voiceStates: readonly Raw[];
  /** The game wants to be heard in another way. */
  change(self: Partial<SelfState>): void;
}

/** Tells a game of one call. */
export interface CallListeners {
  status(status: CallStatus, error: CallError): void;
  participant(userId: bigint, added: boolean): void;
  voiceState(userId: bigint): void;
}

/** The call of a lobby that the player is in. No sound is carried: it is what the service says of it. */
export class Call extends Printed {
  static readonly Status: typeof CallStatus = CallStatus;
  static readonly Error: typeof CallError = CallError;
  readonly #kept: KeptCall;
  #onStatus: CallStatusCallback | undefined;
  #onParticipant: ((userId: bigint, added: boolean) => void) | undefined;
  #onVoiceState: ((userId: bigint) => void) | undefined;

  /** @param listen is given what tells the game of the call, which the game itself cannot */
  constructor(kept: KeptCall, listen: (to: CallListeners) => void) {
    super();
    this.#kept = kept;
    listen({
      status: (status, error) =>
        callBack('SetStatusChangedCallback', () => this.#onStatus?.(status, error, 0)),
      participant: (user, added) =>
        callBack('SetParticipantChangedCallback', () => this.#onParticipant?.(user, added)),
      voiceState: (user) => callBack('SetOnVoiceStateChangedCallback', () => this.#onVoiceState?.(user)),
    });
  }

  /** The name of an error. Throws RangeError for what is none. */
  static ErrorToString(type: CallError): string {
    return nameOf('type', type, CallError);
  }

  /** The name of a status. Throws RangeError for what is none. */
  static StatusToString(type: CallStatus): string {
    return nameOf('type', type, CallStatus);
  }

  /** Id of the lobby. */
  GetChannelId(): bigint {
    return this.#kept.id;
  }

  /** Id of the lobby. */
  GetGuildId(): bigint {
    return this.#kept.id;
  }

  GetStatus(): CallStatus {
    return this.#kept.status;
  }

  /** Undefined ends it. */
  SetStatusChangedCallback(callback: CallStatusCallback | undefined): void {
    this.#onStatus = optionalCallable('callback', callback);
  }

  /** Called for each who comes and leaves. Undefined ends it. */
  SetParticipantChangedCallback(callback: ((userId: bigint, added: boolean) => void) | undefined): void {
    this.#onParticipant = optionalCallable('callback', callback);
  }

  /** Called when somebody in the call is heard, or hears, in another way. Undefined ends it. */
  SetOnVoiceStateChangedCallback(callback: ((userId: bigint) => void) | undefined): void {
    this.#onVoiceState = optionalCallable('callback', callback);
  }

  GetParticipants(): bigint[] {
    return participantsOf(this.#kept.voiceStates);
  }

  /** Undefined for somebody who is not in the call. Throws for what is no id. */
  GetVoiceStateHandle(userId: Id): VoiceStateHandle | undefined {
    return voiceStateOf(this.#kept.voiceStates, uint64('userId', userId));
  }

  /** Whether the player is muted here, by this call or by `SetSelfMuteAll`. */
  GetSelfMute(): boolean {
    return this.#kept.self.mute;
  }

  /** Throws TypeError for what is no boolean. */
  SetSelfMute(mute: boolean): void {
    this.#kept.change({ mute: flag('mute', mute) });
  }

  /** Whether the player hears nobody here, by this call or by `SetSelfDeafAll`. */
  GetSelfDeaf(): boolean {
    return this.#kept.self.deaf;
  }

  /** Throws TypeError for what is no boolean. */
  SetSelfDeaf(deaf: boolean): void {
    this.#kept.change({ deaf: flag('deaf', deaf) });
  }

  override toJSON(): object {
    const { id, status, self, voiceStates } = this.#kept;
    const { mute: self_mute, deaf: self_deaf } = self;
    return { channel_id: String(id), status, self_mute, self_deaf, voice_states: voiceStates };
  }
}
