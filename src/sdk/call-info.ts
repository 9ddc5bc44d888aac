import { Printed } from './printed.ts';
import { idOf, type Raw } from './raw.ts';
import { type Id, uint64 } from './values.ts';

/** Mute and deaf state of a user in a call. */
export class VoiceStateHandle extends Printed {
  readonly #state: Raw;

  constructor(state: Raw) {
    super();
    this.#state = state;
  }

  SelfMute(): boolean {
    return this.#state['self_mute'] === true;
  }

  SelfDeaf(): boolean {
    return this.#state['self_deaf'] === true;
  }

  override toJSON(): object {
    return this.#state;
  }
}

/** Snapshot of a lobby's call, whether or not the player is in that call; the snapshot does not change later. */
export class CallInfoHandle extends Printed {
  readonly #lobbyId: bigint;
  readonly #states: readonly Raw[];

  /** @param states the voice states of all users in the call */
  constructor(lobbyId: bigint, states: readonly Raw[]) {
    super();
    this.#lobbyId = lobbyId;
    this.#states = states;
  }

  /** Id of the lobby. */
  ChannelId(): bigint {
    return this.#lobbyId;
  }

  /** Id of the lobby. */
  GuildId(): bigint {
    return this.#lobbyId;
  }

  GetParticipants(): bigint[] {
    return participantsOf(this.#states);
  }

  /** Voice state of a user; undefined for a user who is not in the call. Throws for an invalid id. */
  GetVoiceStateHandle(userId: Id): VoiceStateHandle | undefined {
    return voiceStateOf(this.#states, uint64('userId', userId));
  }

  override toJSON(): object {
    return { channel_id: String(this.#lobbyId), voice_states: this.#states };
  }
}

/** Returns the user ids of these voice states. */
export function participantsOf(states: readonly Raw[]): bigint[] {
  return states.map((state) => idOf(state['user_id']));
}

/** Returns the voice state of one user; undefined when the user has none. */
export function voiceStateOf(states: readonly Raw[], userId: bigint): VoiceStateHandle | undefined {
  const found = states.find((state) => idOf(state['user_id']) === userId);
  return found && new VoiceStateHandle(found);
}
