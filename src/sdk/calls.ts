import { callBack } from './call-back.ts';
import type { Callbacks } from './callbacks.ts';
import { CallError, CallStatus, ClientStatus } from './enums.ts';
import type { Lobbies } from './lobbies.ts';
import { idOf, member } from './raw.ts';
import type { Users } from './users.ts';
import { optionalCallable } from './values.ts';

/** Called when a call is further or less far than before. */
export type CallStatusCallback = (status: CallStatus, error: CallError, errorDetail: number) => void;

/** How somebody in a call is heard. */
export class VoiceStateHandle {
  readonly #state: Readonly<Record<string, unknown>>;

  constructor(state: Readonly<Record<string, unknown>>) {
    this.#state = state;
  }

  SelfMute(): boolean {
    return this.#state['self_mute'] === true;
  }

  SelfDeaf(): boolean {
    return this.#state['self_deaf'] === true;
  }
}

/** The call of a lobby that the player is in. No sound is carried: it is what the service says of it. */
export class Call {
  static readonly Status: typeof CallStatus = CallStatus;
  static readonly Error: typeof CallError = CallError;
  readonly #channelId: bigint;
  readonly #lobbies: Lobbies;
  #status: CallStatus = CallStatus.Disconnected;
  #onStatus: CallStatusCallback | undefined;
  #onParticipant: ((userId: bigint, added: boolean) => void) | undefined;

  /** @param advance is given what moves the call on, which the game cannot */
  constructor(channelId: bigint, lobbies: Lobbies, advance: (to: MoveCall) => void) {
    this.#channelId = channelId;
    this.#lobbies = lobbies;
    advance({
      to: (status, error = CallError.None) => this.#to(status, error),
      participant: (user, added) =>
        callBack('SetParticipantChangedCallback', () => this.#onParticipant?.(user, added)),
    });
  }

  /** Id of the lobby. */
  ChannelId(): bigint {
    return this.#channelId;
  }

  GetStatus(): CallStatus {
    return this.#status;
  }

  /** Undefined ends it. */
  SetStatusChangedCallback(callback: CallStatusCallback | undefined): void {
    this.#onStatus = optionalCallable('callback', callback);
  }

  /** Called for each who comes and leaves. Undefined ends it. */
  SetParticipantChangedCallback(callback: ((userId: bigint, added: boolean) => void) | undefined): void {
    this.#onParticipant = optionalCallable('callback', callback);
  }

  GetParticipants(): bigint[] {
    return this.#lobbies.voiceStates(this.#channelId).map((state) => idOf(state['user_id']));
  }

  GetVoiceStateHandle(userId: bigint): VoiceStateHandle | undefined {
    const states = this.#lobbies.voiceStates(this.#channelId);
    const found = states.find((state) => idOf(state['user_id']) === userId);
    return found && new VoiceStateHandle(found);
  }

  #to(status: CallStatus, error: CallError): void {
    if (status === this.#status) return;
    this.#status = status;
    callBack('SetStatusChangedCallback', () => this.#onStatus?.(status, error, 0));
  }
}

/** Moves a call on. */
export interface MoveCall {
  readonly to: (status: CallStatus, error?: CallError) => void;
  readonly participant: (userId: bigint, added: boolean) => void;
}

/**
 * The calls that the player is in, as the service tells. While the connection is lost a call reconnects, and is connected
 * again where the service still says so afterwards; it was ended before the SDK's release 1.6.
 */
export class Calls {
  readonly #lobbies: Lobbies;
  readonly #users: Users;
  readonly #callbacks: Callbacks;
  readonly #calls = new Map<bigint, { readonly call: Call; readonly move: MoveCall }>();

  constructor(lobbies: Lobbies, users: Users, callbacks: Callbacks) {
    this.#lobbies = lobbies;
    this.#users = users;
    this.#callbacks = callbacks;
  }

  all(): Call[] {
    return [...this.#calls.values()].map(({ call }) => call);
  }

  get(channelId: bigint): Call | undefined {
    return this.#calls.get(channelId)?.call;
  }

  /** The connection is lost, or there is none any more. */
  connection(status: ClientStatus): void {
    if (status === ClientStatus.Reconnecting) {
      for (const [id] of this.#calls) this.#move(id, CallStatus.Reconnecting);
    } else if (status === ClientStatus.Disconnected) {
      for (const [id] of this.#calls) this.#end(id, CallError.SignalingUnexpectedClose);
    } else if (status === ClientStatus.Ready) {
      for (const id of this.#lobbies.ids()) if (this.#isIn(id) && !this.#calls.has(id)) this.#begin(id);
      for (const [id] of this.#calls) {
        if (this.#isIn(id)) this.#move(id, CallStatus.Connected);
        else this.#end(id, CallError.SignalingUnexpectedClose);
      }
    }
  }

  /** Takes what the gateway says of calls; the lobbies have heard it before. */
  hear(event: string, data: Readonly<Record<string, unknown>>): void {
    if (event === 'LOBBY_DELETE') return this.#end(idOf(data['id'] ?? data['lobby_id']), CallError.None);
    if (event === 'LOBBY_VOICE_SERVER_UPDATE')
      return this.#move(idOf(data['lobby_id']), CallStatus.Connected);
    if (event !== 'LOBBY_VOICE_STATE_UPDATE') return;
    const id = idOf(data['lobby_id']);
    const user = idOf(data['user_id']);
    const isIn = data['channel_id'] !== null;
    if (id === 0n || user === 0n) return;
    const isMe = user === idOf(member(this.#users.me, 'id'));
    if (isMe && isIn && !this.#calls.has(id)) this.#begin(id);
    const known = this.#calls.get(id);
    if (known === undefined) return;
    known.move.participant(user, isIn);
    if (isMe && !isIn) this.#end(id, CallError.None);
  }

  #begin(id: bigint): void {
    let move: MoveCall | undefined;
    const call = new Call(id, this.#lobbies, (given) => {
      move = given;
    });
    if (move === undefined) return;
    this.#calls.set(id, { call, move });
    for (const status of [CallStatus.Joining, CallStatus.Connecting, CallStatus.SignalingConnected])
      this.#move(id, status);
  }

  #move(id: bigint, status: CallStatus, error: CallError = CallError.None): void {
    const known = this.#calls.get(id);
    if (known === undefined || known.call.GetStatus() === status) return;
    known.move.to(status, error);
    this.#callbacks.tell('SetCallStatusChangedCallback', id, status);
  }

  #end(id: bigint, error: CallError): void {
    this.#move(id, CallStatus.Disconnected, error);
    this.#calls.delete(id);
  }

  #isIn(id: bigint): boolean {
    const me = idOf(member(this.#users.me, 'id'));
    return this.#lobbies.voiceStates(id).some((state) => idOf(state['user_id']) === me);
  }
}
