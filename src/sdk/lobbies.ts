import { BoundedMap } from './bounded-map.ts';
import type { Callbacks } from './callbacks.ts';
import { LastSeen } from './last-seen.ts';
import { LobbyHandle } from './lobby-handle.ts';
import { idOf, member, objectsOf, type Raw, text } from './raw.ts';
import type { Users } from './users.ts';

/** Maximum number of lobbies per player, and of members per lobby. The platform allows far fewer. */
const MAX_LOBBIES = 1000;
const MAX_MEMBERS = 10_000;
const CHARACTERS_OF_ONE = 8 * 1024 * 1024;

/** A lobby, with its members and its voice states by user id. */
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
  readonly #events = new LastSeen();
  /** Times at which lobbies were deleted or left. */
  readonly #removals = new LastSeen();

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

  /** Replaces all lobbies by the lobbies of READY; calls the callbacks for new and for removed lobbies. */
  replace(lobbies: unknown): void {
    this.#events.reset();
    this.#removals.reset();
    const all = objectsOf(lobbies);
    const now = new Set(all.map(({ id }) => text(id)));
    const removed = [...this.#byId.keys()].filter((id) => !now.has(id));
    const { moment } = this.#events;
    const each = [
      ...removed.map((id) => () => this.handleEvent('LOBBY_DELETE', { id })),
      ...all.map((one) => () => this.#store(one)),
    ];
    // A callback may disconnect.
    for (const apply of each) if (!this.#events.isForgotten(moment)) apply();
  }

  /**
   * Call it when a request is sent. The returned function stores the lobby of the answer, unless a newer event about
   * that lobby has arrived.
   */
  taking(): (raw: Raw) => void {
    const { moment } = this.#events;
    return (raw) => {
      if (!this.#events.isOutdated(text(raw['id']), moment)) this.#store(raw);
    };
  }

  /**
   * Call it when a request to leave is sent, and call the returned function when the request succeeds. The function
   * returns true when no event has removed the lobby since the request. If the gateway has already sent that event, the
   * player may be in the lobby again, so the function then leaves the lobby unchanged.
   */
  leaving(id: string): () => boolean {
    const { moment } = this.#removals;
    return () => {
      if (this.#removals.isOutdated(id, moment)) return false;
      this.handleEvent('LOBBY_DELETE', { id });
      return true;
    };
  }

  /** Stores a lobby. When the data lacks members or voice states, the previous ones remain. */
  #store(raw: Raw): void {
    const id = text(raw['id']);
    const before = this.#byId.get(id);
    if (idOf(id) === 0n || (before === undefined && this.#byId.size >= MAX_LOBBIES)) return;
    const { members, voice_states, ...lobby } = raw;
    const memberList = objectsOf(members).map((one) => this.#met(one));
    const held = {
      lobby,
      members: members === undefined && before ? before.members : byUser(memberList, 'id'),
      voices: voice_states === undefined && before ? before.voices : byUser(voice_states, 'user_id'),
    };
    this.#byId.set(id, held);
    if (before === undefined) this.#callbacks.notify('SetLobbyCreatedCallback', BigInt(id));
    else if (JSON.stringify(whole(before)) !== JSON.stringify(whole(held)))
      this.#callbacks.notify('SetLobbyUpdatedCallback', BigInt(id));
  }

  forget(): void {
    this.#events.reset();
    this.#removals.reset();
    this.#byId.clear();
  }

  /** Handles the gateway's events of lobbies. */
  handleEvent(event: string, data: Raw): void {
    if (event === 'LOBBY_CREATE' || event === 'LOBBY_UPDATE') {
      this.#events.record(text(data['id']));
      return this.#store(data);
    }
    const id = text(event === 'LOBBY_DELETE' ? (data['id'] ?? data['lobby_id']) : data['lobby_id']);
    const held = this.#byId.get(id);
    if (held !== undefined || event === 'LOBBY_DELETE') this.#events.record(id);
    if (event === 'LOBBY_DELETE') this.#removals.record(id);
    if (held === undefined) return;
    if (event === 'LOBBY_DELETE') {
      this.#byId.delete(id);
      return this.#callbacks.notify('SetLobbyDeletedCallback', BigInt(id));
    }
    if (event === 'LOBBY_VOICE_STATE_UPDATE') return this.#handleVoice(id, held, data);
    const [of] = objectsOf([data['member']]);
    const user = text(of?.['id']);
    if (of === undefined || idOf(user) === 0n) return;
    switch (event) {
      case 'LOBBY_MEMBER_ADD':
        held.members.set(user, this.#met(of));
        return this.#callbacks.notify('SetLobbyMemberAddedCallback', BigInt(id), BigInt(user));
      case 'LOBBY_MEMBER_UPDATE':
        if (held.members.has(user)) held.members.set(user, this.#met(of));
        return this.#callbacks.notify('SetLobbyMemberUpdatedCallback', BigInt(id), BigInt(user));
      case 'LOBBY_MEMBER_REMOVE':
        held.members.delete(user);
        return this.#callbacks.notify('SetLobbyMemberRemovedCallback', BigInt(id), BigInt(user));
      default:
    }
  }

  /** Stores the user of a lobby member in `Users`, except the player's own user, which has better sources. */
  #met({ user, ...rest }: Raw): Raw {
    if (text(rest['id']) !== this.#users.myId) this.#users.take(user);
    return rest;
  }

  #handleVoice(id: string, { voices }: Held, state: Raw): void {
    const user = text(state['user_id']);
    if (idOf(user) === 0n) return;
    const isIn = state['channel_id'] !== null;
    const wasIn = voices.has(user);
    if (isIn) voices.set(user, state);
    else voices.delete(user);
    if (wasIn !== isIn)
      this.#callbacks.notify('SetVoiceParticipantChangedCallback', BigInt(id), BigInt(user), isIn);
  }

  /** Voice states of the users in the call of a lobby. */
  voiceStates(id: bigint): readonly Raw[] {
    return this.#byId.get(String(id))?.voices.values() ?? [];
  }
}

function byUser(list: unknown, key: 'id' | 'user_id'): BoundedMap<Raw> {
  const map = new BoundedMap<Raw>(MAX_MEMBERS, CHARACTERS_OF_ONE);
  for (const one of objectsOf(list)) if (idOf(member(one, key)) !== 0n) map.set(text(one[key]), one);
  return map;
}

/** A lobby in the service's format. */
function whole({ lobby, members, voices }: Held): Raw {
  return { ...lobby, members: members.values(), voice_states: voices.values() };
}
