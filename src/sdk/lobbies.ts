import type { Callbacks } from './callbacks.ts';
import { LobbyHandle } from './lobby-handle.ts';
import { idOf, member, objectsOf, text } from './raw.ts';
import type { Raw } from './service.ts';
import type { Users } from './users.ts';

/** The lobbies that the player is in, kept up to date from the gateway. */
export class Lobbies {
  readonly #byId = new Map<string, Raw>();
  readonly #callbacks: Callbacks;
  /** How often all was forgotten. */
  #age = 0;
  readonly #users: Users;

  constructor(callbacks: Callbacks, users: Users) {
    this.#callbacks = callbacks;
    this.#users = users;
  }

  ids(): bigint[] {
    return [...this.#byId.keys()].map(BigInt);
  }

  get(id: bigint): LobbyHandle | undefined {
    const lobby = this.#byId.get(String(id));
    return lobby && new LobbyHandle(lobby, (user) => this.#users.get(idOf(user)));
  }

  /** Those that READY names are all that there are; who is new or gone meanwhile is told. */
  replace(lobbies: unknown): void {
    const all = objectsOf(lobbies);
    const now = new Set(all.map(({ id }) => text(id)));
    const gone = [...this.#byId.keys()].filter((id) => !now.has(id));
    const age = this.#age;
    const each = [
      ...gone.map((id) => () => this.hear('LOBBY_DELETE', { id })),
      ...all.map((one) => () => this.take(one)),
    ];
    // Whoever is told may leave.
    for (const tell of each) if (this.#age === age) tell();
  }

  /** One that the player is in; what of it was told before and is not told now stays. */
  take(lobby: Raw): void {
    const id = text(lobby['id']);
    if (idOf(id) === 0n) return;
    const before = this.#byId.get(id);
    this.#byId.set(id, { voice_states: before?.['voice_states'] ?? [], ...lobby });
    if (before === undefined) this.#callbacks.tell('SetLobbyCreatedCallback', BigInt(id));
    else if (JSON.stringify(before) !== JSON.stringify(this.#byId.get(id)))
      this.#callbacks.tell('SetLobbyUpdatedCallback', BigInt(id));
  }

  forget(): void {
    this.#age += 1;
    this.#byId.clear();
  }

  /** Takes what the gateway says of lobbies. */
  hear(event: string, data: Raw): void {
    if (event === 'LOBBY_CREATE' || event === 'LOBBY_UPDATE') return this.take(data);
    const id = text(event === 'LOBBY_DELETE' ? (data['id'] ?? data['lobby_id']) : data['lobby_id']);
    const lobby = this.#byId.get(id);
    if (lobby === undefined) return;
    if (event === 'LOBBY_DELETE') {
      this.#byId.delete(id);
      return this.#callbacks.tell('SetLobbyDeletedCallback', BigInt(id));
    }
    if (event === 'LOBBY_VOICE_STATE_UPDATE') return this.#hearVoice(id, lobby, data);
    const of = data['member'];
    const memberId = idOf(member(of, 'id'));
    const others = objectsOf(lobby['members']).filter((one) => idOf(one['id']) !== memberId);
    switch (event) {
      case 'LOBBY_MEMBER_ADD':
        this.#byId.set(id, { ...lobby, members: [...others, of] });
        return this.#callbacks.tell('SetLobbyMemberAddedCallback', BigInt(id), memberId);
      case 'LOBBY_MEMBER_UPDATE':
        this.#byId.set(id, {
          ...lobby,
          members: objectsOf(lobby['members']).map((one) => (idOf(one['id']) === memberId ? of : one)),
        });
        return this.#callbacks.tell('SetLobbyMemberUpdatedCallback', BigInt(id), memberId);
      case 'LOBBY_MEMBER_REMOVE':
        this.#byId.set(id, { ...lobby, members: others });
        return this.#callbacks.tell('SetLobbyMemberRemovedCallback', BigInt(id), memberId);
      default:
    }
  }

  #hearVoice(id: string, lobby: Raw, state: Raw): void {
    const all = objectsOf(lobby['voice_states']);
    const others = all.filter((one) => one['user_id'] !== state['user_id']);
    const isIn = state['channel_id'] !== null;
    this.#byId.set(id, { ...lobby, voice_states: isIn ? [...others, state] : others });
    const wasIn = others.length < all.length;
    if (wasIn !== isIn)
      this.#callbacks.tell('SetVoiceParticipantChangedCallback', BigInt(id), idOf(state['user_id']), isIn);
  }

  /** Voice states of those in the call of a lobby. */
  voiceStates(id: bigint): readonly Raw[] {
    return objectsOf(this.#byId.get(String(id))?.['voice_states']);
  }
}
