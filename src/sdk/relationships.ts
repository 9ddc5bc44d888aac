import { BoundedMap } from './bounded-map.ts';
import type { Callbacks } from './callbacks.ts';
import { RelationshipType } from './enums.ts';
import { type Bond, bondOf, NO_BOND, type Presence, presenceOf } from './known.ts';
import { idOf, member, objectsOf, text } from './raw.ts';
import type { Raw, Service } from './service.ts';
import type { Users } from './users.ts';

/** What somebody is to the player, on the platform and in this game. */
interface Known {
  readonly user: object;
  readonly bond: Bond;
}

const NONE = RelationshipType.None;
/** People of whom something is remembered; the oldest make room. */
const MOST_KNOWN = 20_000;

/** Everybody whom the service says that the player knows, kept up to date from the gateway. */
export class Relationships {
  readonly #callbacks: Callbacks;
  readonly #users: Users;
  readonly #byId = new BoundedMap<Known>(MOST_KNOWN);
  /** What they do, by user. */
  readonly #presences = new BoundedMap<Presence>(MOST_KNOWN);
  /** What the gateway said of people while the service was asked for all of them. */
  #meanwhile: Map<string, Known | undefined> | undefined;
  /** Whether the service has told who they are. */
  isLoaded = false;

  constructor(callbacks: Callbacks, users: Users) {
    this.#callbacks = callbacks;
    this.#users = users;
  }

  /** Reads everybody anew; without the scope there is nobody. `isWanted` says whether it still is, once that is known. */
  async load(service: Service, isWanted: () => boolean): Promise<void> {
    const meanwhile = new Map<string, Known | undefined>();
    this.#meanwhile = meanwhile;
    const [platform, game] = await Promise.all([
      service.list('/users/@me/relationships').catch(() => undefined),
      service.list('/users/@me/game-relationships').catch(() => undefined),
    ]);
    // Asked for again since, or by somebody else.
    if (this.#meanwhile !== meanwhile || !isWanted()) return;
    this.#meanwhile = undefined;
    if (platform === undefined && game === undefined) return;
    const before = new Set(this.#byId.keys());
    this.#byId.clear();
    for (const one of platform ?? []) this.#keep(one, 'type');
    for (const one of game ?? []) this.#keep(one, 'gameType');
    for (const [id, known] of meanwhile) {
      if (known === undefined) this.#byId.delete(id);
      else this.#byId.set(id, known);
    }
    this.isLoaded = true;
    for (const id of new Set([...before, ...this.#byId.keys()])) this.#moved(id);
  }

  forget(): void {
    this.#meanwhile = undefined;
    this.#byId.clear();
    this.#presences.clear();
    this.isLoaded = false;
  }

  /** Who they are. */
  all(): object[] {
    return this.#byId.values().map(({ user }) => user);
  }

  bond(id: string): Bond {
    return this.#byId.get(id)?.bond ?? NO_BOND;
  }

  /** Undefined where the service has told none. */
  presence(id: string): Presence | undefined {
    return this.#presences.get(id);
  }

  /** What those do who are there when a session begins; nobody else is there. */
  presences(told: unknown): void {
    if (!Array.isArray(told)) return;
    this.#presences.clear();
    for (const one of objectsOf(told)) {
      const id = text(member(one['user'], 'id'));
      if (idOf(id) !== 0n) this.#presences.set(id, presenceOf(one));
    }
  }

  /** Takes what the gateway says of people. */
  hear(event: string, data: Raw): void {
    switch (event) {
      case 'RELATIONSHIP_ADD':
      case 'GAME_RELATIONSHIP_ADD':
      case 'RELATIONSHIP_UPDATE': {
        const isGame = event.startsWith('GAME');
        this.#keep(data, isGame ? 'gameType' : 'type');
        const id = text(data['id']);
        this.#note(id);
        if (event !== 'RELATIONSHIP_UPDATE')
          this.#callbacks.tell('SetRelationshipCreatedCallback', idOf(id), !isGame);
        return this.#moved(id);
      }
      case 'RELATIONSHIP_REMOVE':
      case 'GAME_RELATIONSHIP_REMOVE': {
        const isGame = event.startsWith('GAME');
        const id = text(data['id']);
        const known = this.#byId.get(id);
        if (known === undefined) return;
        const left = bondOf({ type: NONE }, isGame ? 'gameType' : 'type', known.bond);
        if (left.type === NONE && left.gameType === NONE) this.#byId.delete(id);
        else this.#byId.set(id, { ...known, bond: left });
        this.#note(id);
        this.#callbacks.tell('SetRelationshipDeletedCallback', idOf(id), !isGame);
        return this.#moved(id);
      }
      case 'PRESENCE_UPDATE': {
        const id = text(member(data['user'], 'id'));
        if (idOf(id) === 0n) return;
        this.#presences.set(id, presenceOf(data));
        if (!this.#byId.has(id)) return;
        this.#moved(id);
        return this.#callbacks.tell('SetUserUpdatedCallback', idOf(id));
      }
      default:
    }
  }

  #keep(told: Raw, kind: 'type' | 'gameType'): void {
    const id = text(told['id']);
    const { user } = told;
    if (idOf(id) === 0n || typeof user !== 'object' || user === null) return;
    this.#users.take(user);
    this.#byId.set(id, { user, bond: bondOf(told, kind, this.#byId.get(id)?.bond) });
  }

  #note(id: string): void {
    this.#meanwhile?.set(id, this.#byId.get(id));
  }

  #moved(id: string): void {
    this.#callbacks.tell('SetRelationshipGroupsUpdatedCallback', idOf(id));
  }
}
