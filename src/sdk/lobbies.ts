import { BoundedMap } from './bounded-map.ts';
import type { Callbacks } from './callbacks.ts';
import { LastHeard } from './last-heard.ts';
import { LobbyHandle } from './lobby-handle.ts';
import { idOf, member, objectsOf, text } from './raw.ts';
import type { Raw } from './service.ts';
import type { Users } from './users.ts';

/** Limits of lobbies per player, and of members per lobby. The platform allows far fewer. */
const MOST_LOBBIES = 1000;
const MOST_MEMBERS = 10_000;
const CHARACTERS_OF_ONE = 8 * 1024 * 1024;

/** A lobby, with its members and voice states by user. */
interface Held {
  readonly lobby: Raw;
  readonly members: BoundedMap<Raw>;
  readonly voices: BoundedMap<Raw>;
}

/** The lobbies that the player is in, updated by the gateway. */
export class Lobbies {
  readonly #byId = new Map<string, Held>();
  readonly #callbacks: Callbacks;
  readonly #users: Users;
  readonly #heard = new LastHeard();
  /** Times at which lobbies were deleted or left. */
  readonly #gone = new LastHeard();

  constructor(callbacks: Callbacks, users: Users) {
    this.#callbacks = callbacks;
    this.#users = users;
  }

  ids(): bigint[] {
    return [...this.#byId.keys()].map(BigInt);
  }

  has(id: bigint): boolean {
    return this.#byId.has(String(id));
  }

  get(id: bigint): LobbyHandle | undefined {
    const held = this.#byId.get(String(id));
    return held && new LobbyHandle(whole(held), (user) => this.#users.get(idOf(user)));
  }

  /** Replaces all lobbies by those of READY; calls back for new and missing ones. */
  replace(lobbies: unknown): void {
    this.#heard.heardAll();
    this.#gone.heardAll();
    const all = objectsOf(lobbies);
    const now = new Set(all.map(({ id }) => text(id)));
    const gone = [...this.#byId.keys()].filter((id) => !now.has(id));
    const { moment } = this.#heard;
    const each = [
      ...gone.map((id) => () => this.hear('LOBBY_DELETE', { id })),
      ...all.map((one) => () => this.#keep(one)),
    ];
    // A callback may disconnect.
    for (const tell of each) if (!this.#heard.isForgotten(moment)) tell();
  }

  /**
   * Called when a request is sent: the returned function stores the lobby in its answer, unless an event of that lobby
   * is newer.
   */
  taking(): (told: Raw) => void {
    const { moment } = this.#heard;
    return (told) => {
      if (!this.#heard.isOutdated(text(told['id']), moment)) this.#keep(told);
    };
  }

  /**
   * Called when a request to leave is sent: call the returned function on success. It returns true where the lobby was
   * not left by an event before. The gateway may have sent that event already, and that the player is in the lobby
   * again.
   */
  leaving(id: string): () => boolean {
    const { moment } = this.#gone;
    return () => {
      if (this.#gone.isOutdated(id, moment)) return false;
      this.hear('LOBBY_DELETE', { id });
      return true;
    };
  }

  /** Stores a lobby; missing members and voice states keep their previous values. */
  #keep(told: Raw): void {
    const id = text(told['id']);
    const before = this.#byId.get(id);
    if (idOf(id) === 0n || (before === undefined && this.#byId.size >= MOST_LOBBIES)) return;
    const { members, voice_states, ...lobby } = told;
    const people = objectsOf(members).map((one) => this.#met(one));
    const held = {
      lobby,
      members: members === undefined && before ? before.members : byUser(people, 'id'),
      voices: voice_states === undefined && before ? before.voices : byUser(voice_states, 'user_id'),
    };
    this.#byId.set(id, held);
    if (before === undefined) this.#callbacks.tell('SetLobbyCreatedCallback', BigInt(id));
    else if (JSON.stringify(whole(before)) !== JSON.stringify(whole(held)))
      this.#callbacks.tell('SetLobbyUpdatedCallback', BigInt(id));
  }

  forget(): void {
    this.#heard.heardAll();
    this.#gone.heardAll();
    this.#byId.clear();
  }

  /** Handles the gateway's events of lobbies. */
  hear(event: string, data: Raw): void {
    if (event === 'LOBBY_CREATE' || event === 'LOBBY_UPDATE') {
      this.#heard.heard(text(data['id']));
      return this.#keep(data);
    }
    const id = text(event === 'LOBBY_DELETE' ? (data['id'] ?? data['lobby_id']) : data['lobby_id']);
    const held = this.#byId.get(id);
    if (held !== undefined || event === 'LOBBY_DELETE') this.#heard.heard(id);
    if (event === 'LOBBY_DELETE') this.#gone.heard(id);
    if (held === undefined) return;
    if (event === 'LOBBY_DELETE') {
      this.#byId.delete(id);
      return this.#callbacks.tell('SetLobbyDeletedCallback', BigInt(id));
    }
    if (event === 'LOBBY_VOICE_STATE_UPDATE') return this.#hearVoice(id, held, data);
    const [of] = objectsOf([data['member']]);
    const user = text(of?.['id']);
    if (of === undefined || idOf(user) === 0n) return;
    switch (event) {
      case 'LOBBY_MEMBER_ADD':
        held.members.set(user, this.#met(of));
        return this.#callbacks.tell('SetLobbyMemberAddedCallback', BigInt(id), BigInt(user));
      case 'LOBBY_MEMBER_UPDATE':
        if (held.members.has(user)) held.members.set(user, this.#met(of));
        return this.#callbacks.tell('SetLobbyMemberUpdatedCallback', BigInt(id), BigInt(user));
      case 'LOBBY_MEMBER_REMOVE':
        held.members.delete(user);
        return this.#callbacks.tell('SetLobbyMemberRemovedCallback', BigInt(id), BigInt(user));
      default:
    }
  }

  /** Stores the user of a member with all users; the player's own data has better sources. */
  #met({ user, ...rest }: Raw): Raw {
    if (text(rest['id']) !== this.#users.myId) this.#users.take(user);
    return rest;
  }

  #hearVoice(id: string, { voices }: Held, state: Raw): void {
    const user = text(state['user_id']);
    if (idOf(user) === 0n) return;
    const isIn = state['channel_id'] !== null;
    const wasIn = voices.has(user);
    if (isIn) voices.set(user, state);
    else voices.delete(user);
    if (wasIn !== isIn)
      this.#callbacks.tell('SetVoiceParticipantChangedCallback', BigInt(id), BigInt(user), isIn);
  }

  /** Voice states of the users in the call of a lobby. */
  voiceStates(id: bigint): readonly Raw[] {
    return this.#byId.get(String(id))?.voices.values() ?? [];
  }
}

function byUser(list: unknown, key: 'id' | 'user_id'): BoundedMap<Raw> {
  const map = new BoundedMap<Raw>(MOST_MEMBERS, CHARACTERS_OF_ONE);
  for (const one of objectsOf(list)) if (idOf(member(one, key)) !== 0n) map.set(text(one[key]), one);
  return map;
}

/** A lobby in the service's format. */
function whole({ lobby, members, voices }: Held): Raw {
  return { ...lobby, members: members.values(), voice_states: voices.values() };
}
