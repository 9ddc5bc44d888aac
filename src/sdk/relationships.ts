import type { Relationship } from '../client/index.ts';
import type { Callbacks } from './callbacks.ts';
import { RelationshipType } from './enums.ts';
import { RelationshipHandle } from './handles.ts';
import { idOf, member, numberOf, objectsOf, text } from './raw.ts';
import type { Raw, Service } from './service.ts';
import type { Users } from './users.ts';

/** What somebody is to the player, on the platform and in this game. */
interface Known {
  readonly user: object;
  readonly type: number;
  readonly gameType: number;
}

const NONE = RelationshipType.None;

/** Everybody whom the service says that the player knows, kept up to date from the gateway. */
export class Relationships {
  readonly #callbacks: Callbacks;
  readonly #users: Users;
  readonly #byId = new Map<string, Known>();
  /** What they do, by user. */
  readonly #presences = new Map<string, Raw>();
  /** Whether the service has told who they are. */
  isLoaded = false;

  constructor(callbacks: Callbacks, users: Users) {
    this.#callbacks = callbacks;
    this.#users = users;
  }

  /** Reads everybody anew; without the scope there is nobody. */
  async load(service: Service): Promise<void> {
    const [platform, game] = await Promise.all([
      service.list('/users/@me/relationships').catch(() => undefined),
      service.list('/users/@me/game-relationships').catch(() => undefined),
    ]);
    if (platform === undefined && game === undefined) return;
    const before = new Set(this.#byId.keys());
    this.#byId.clear();
    for (const one of platform ?? []) this.#keep(one, 'type');
    for (const one of game ?? []) this.#keep(one, 'gameType');
    this.isLoaded = true;
    for (const id of new Set([...before, ...this.#byId.keys()])) this.#moved(id);
  }

  forget(): void {
    this.#byId.clear();
    this.#presences.clear();
    this.isLoaded = false;
  }

  all(): RelationshipHandle[] {
    return [...this.#byId.entries()].map(([id, known]) => this.#handle(id, known));
  }

  get(id: bigint): RelationshipHandle | undefined {
    const known = this.#byId.get(String(id));
    return known && this.#handle(String(id), known);
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
        const left = isGame ? { ...known, gameType: NONE } : { ...known, type: NONE };
        if (left.type === NONE && left.gameType === NONE) this.#byId.delete(id);
        else this.#byId.set(id, left);
        this.#callbacks.tell('SetRelationshipDeletedCallback', idOf(id), !isGame);
        return this.#moved(id);
      }
      case 'PRESENCE_UPDATE': {
        const id = text(member(data['user'], 'id'));
        this.#presences.set(id, data);
        if (this.#byId.has(id)) this.#moved(id);
        return;
      }
      default:
    }
  }

  #keep(told: Raw, kind: 'type' | 'gameType'): void {
    const id = text(told['id']);
    const { user } = told;
    if (idOf(id) === 0n || typeof user !== 'object' || user === null) return;
    this.#users.take(user);
    const before = this.#byId.get(id) ?? { type: NONE, gameType: NONE };
    this.#byId.set(id, { ...before, user, [kind]: numberOf(told['type']) });
  }

  #handle(id: string, { user, type, gameType }: Known): RelationshipHandle {
    const presence = this.#presences.get(id);
    const activities = objectsOf(presence?.['activities']);
    const status = text(presence?.['status']) || 'offline';
    const told = { type, user, presence: { status, activity: activities[0] ?? null } };
    return new RelationshipHandle(told as unknown as Relationship, gameType, activities);
  }

  #moved(id: string): void {
    this.#callbacks.tell('SetRelationshipGroupsUpdatedCallback', idOf(id));
  }
}
