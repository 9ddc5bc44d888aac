import { callBack } from './call-back.ts';
import { participantsOf, type VoiceStateHandle, voiceStateOf } from './call-info.ts';
import { CallError, CallStatus } from './enums.ts';
import { Printed } from './printed.ts';
import type { Raw } from './raw.ts';
import { flag, type Id, nameOf, optionalCallable, uint64 } from './values.ts';

/** Called when the status of a call changes. */
export type CallStatusCallback = (status: CallStatus, error: CallError, errorDetail: number) => void;

/** Mute and deaf settings of the player. */
export interface SelfState {
  readonly mute: boolean;
  readonly deaf: boolean;
}

/** A call's state in its client. */
export interface CallSource {
  readonly id: bigint;
  readonly status: CallStatus;
  /** The player's settings in this call, combined with the settings for all calls. */
  readonly self: SelfState;
  /** Of all users in the call. */
  readonly voiceStates: readonly Raw[];
  /** Changes the player's mute and deaf settings in this call. */
  change(self: Partial<SelfState>): void;
}

/** Notifies a game of changes in one call. */
export interface CallListeners {
  status(status: CallStatus, error: CallError): void;
  participant(userId: bigint, added: boolean): void;
  voiceState(userId: bigint): void;
}

/** The call of a lobby that the player is in. No sound is transmitted, only the state that the service sends. */
export class Call extends Printed {
  static readonly Status: typeof CallStatus = CallStatus;
  static readonly Error: typeof CallError = CallError;
  readonly #source: CallSource;
  #onStatus: CallStatusCallback | undefined;
  #onParticipant: ((userId: bigint, added: boolean) => void) | undefined;
  #onVoiceState: ((userId: bigint) => void) | undefined;

  /** @param listen receives the listeners that notify the game; the game cannot call them itself */
  constructor(source: CallSource, listen: (to: CallListeners) => void) {
    super();
    this.#source = source;
    listen({
      status: (status, error) =>
        callBack('SetStatusChangedCallback', () => this.#onStatus?.(status, error, 0)),
      participant: (user, added) =>
        callBack('SetParticipantChangedCallback', () => this.#onParticipant?.(user, added)),
      voiceState: (user) => callBack('SetOnVoiceStateChangedCallback', () => this.#onVoiceState?.(user)),
    });
  }

  /** Name of an error. Throws RangeError for an unknown value. */
  static ErrorToString(type: CallError): string {
    return nameOf('type', type, CallError);
  }

  /** Name of a status. Throws RangeError for an unknown value. */
  static StatusToString(type: CallStatus): string {
    return nameOf('type', type, CallStatus);
  }

  /** Id of the lobby. */
  GetChannelId(): bigint {
    return this.#source.id;
  }

  /** Id of the lobby. */
  GetGuildId(): bigint {
    return this.#source.id;
  }

  GetStatus(): CallStatus {
    return this.#source.status;
  }

  /** Sets the callback for changes of the call's status; undefined removes the callback. */
  SetStatusChangedCallback(callback: CallStatusCallback | undefined): void {
    this.#onStatus = optionalCallable('callback', callback);
  }

  /** Called for each user who enters or leaves. Undefined removes the callback. */
  SetParticipantChangedCallback(callback: ((userId: bigint, added: boolean) => void) | undefined): void {
    this.#onParticipant = optionalCallable('callback', callback);
  }

  /** Called when the mute or deaf state of a user in the call changes. Undefined removes the callback. */
  SetOnVoiceStateChangedCallback(callback: ((userId: bigint) => void) | undefined): void {
    this.#onVoiceState = optionalCallable('callback', callback);
  }

  GetParticipants(): bigint[] {
    return participantsOf(this.#source.voiceStates);
  }

  /** Voice state of a user; undefined for a user who is not in the call. Throws for an invalid id. */
  GetVoiceStateHandle(userId: Id): VoiceStateHandle | undefined {
    return voiceStateOf(this.#source.voiceStates, uint64('userId', userId));
  }

  /** Whether the player is muted in this call, either by the call's own setting or by `SetSelfMuteAll`. */
  GetSelfMute(): boolean {
    return this.#source.self.mute;
  }

  /** Mutes or unmutes the player in this call. Throws TypeError for a value that is not a boolean. */
  SetSelfMute(mute: boolean): void {
    this.#source.change({ mute: flag('mute', mute) });
  }

  /** Whether the player is deafened in this call, either by the call's own setting or by `SetSelfDeafAll`. */
  GetSelfDeaf(): boolean {
    return this.#source.self.deaf;
  }

  /** Deafens or undeafens the player in this call. Throws TypeError for a value that is not a boolean. */
  SetSelfDeaf(deaf: boolean): void {
    this.#source.change({ deaf: flag('deaf', deaf) });
  }

  override toJSON(): object {
    const { id, status, self, voiceStates } = this.#source;
    const { mute: self_mute, deaf: self_deaf } = self;
    return { channel_id: String(id), status, self_mute, self_deaf, voice_states: voiceStates };
  }
}
