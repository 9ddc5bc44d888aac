import { ApiError } from '../client/http.ts';
import { quietTimer } from '../client/limit.ts';
import { BoundedMap } from './bounded-map.ts';
import type { Callbacks } from './callbacks.ts';
import { LoggingSeverity, RelationshipType } from './enums.ts';
import { type Bond, bondOf, NO_BOND, type Presence, presenceOf } from './known.ts';
import type { Log } from './log.ts';
import { idOf, member, objectsOf, type Raw, text } from './raw.ts';
import type { Service } from './service.ts';
import type { Users } from './users.ts';

/** A user's relationship with the player, on the platform and in this game. */
interface Known {
  readonly user: object;
  readonly bond: Bond;
}

/** Kind of relationship: on the platform or in this game. */
export type Kind = 'type' | 'gameType';
/** All relationships of one kind; 'refused' when the token may not read them. */
type ListResult = readonly Raw[] | 'refused' | Error;

/** A list whose request failed, and the delay that the service demands before the next request (ms). */
interface Missing {
  readonly kind: Kind;
  readonly message: string;
  readonly waitMs: number;
}
/** Ids of users whose relationship changed during a request, by kind. */
type ChangedIds = Readonly<Record<Kind, BoundedMap<true>>>;

/** Path of the list of each kind. */
export const LISTS: Readonly<Record<Kind, string>> = {
  type: '/users/@me/relationships',
  gameType: '/users/@me/game-relationships',
};
/** First and maximum delay before a failed list is requested again (ms); the delay doubles with each attempt. */
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** HTTP statuses that do not show whether the token may read the list. */
const TRANSIENT_STATUSES = new Set([0, 401, 408, 429]);
const NONE = RelationshipType.None;
/** Maximum number of stored users; the oldest are evicted. */
const MAX_USERS = 20_000;

/** All relationships of the player from the service, updated by the gateway. */
export class Relationships {
  readonly #callbacks: Callbacks;
  readonly #users: Users;
  readonly #byId = new BoundedMap<Known>(MAX_USERS);
  /** Presence by user. */
  readonly #presences = new BoundedMap<Presence>(MAX_USERS);
  readonly #log: Log;
  /** Ids of users for whom the gateway sent an event while the lists are requested. */
  #changed: ChangedIds | undefined;
  /** Kinds whose list has arrived. */
  readonly #loaded = new Set<Kind>();

  constructor(callbacks: Callbacks, users: Users, log: Log) {
    this.#callbacks = callbacks;
    this.#users = users;
    this.#log = log;
  }

  /**
   * Reloads all lists; without the token's scope a list is empty. A list that fails for another reason is requested
   * again in the background until it arrives or all data is cleared. There is no such request without a session,
   * because the player may change.
   */
  async load(service: Service, isReady: () => boolean): Promise<void> {
    const changed = { type: new BoundedMap<true>(MAX_USERS), gameType: new BoundedMap<true>(MAX_USERS) };
    this.#changed = changed;
    const missing = await this.#request(service, changed, ['type', 'gameType']);
    void this.#retry(service, changed, missing, isReady);
  }

  async #retry(
    service: Service,
    changed: ChangedIds,
    failed: readonly Missing[],
    isReady: () => boolean,
  ): Promise<void> {
    let missing = failed;
    for (let waitMs = FIRST_WAIT_MS; missing.length > 0; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      const ms = Math.max(waitMs, ...missing.map(({ waitMs: requestedMs }) => requestedMs));
      const why = missing.map(({ message }) => message).join('; ');
      const again = `Relationships: ${why}; it is asked for again in ${ms / 1000} s`;
      this.#log.write(LoggingSeverity.Warning, again);
      await pause(ms);
      while (this.#changed === changed && !isReady()) await pause(FIRST_WAIT_MS);
      if (this.#changed !== changed) return;
      missing = await this.#request(
        service,
        changed,
        missing.map(({ kind }) => kind),
      );
    }
  }

  /** Requests the lists of some kinds; resolves with the lists whose request failed. */
  async #request(service: Service, changed: ChangedIds, kinds: readonly Kind[]): Promise<readonly Missing[]> {
    const results = await Promise.all(kinds.map((kind) => listOf(service, kind)));
    // In the meantime the lists were requested again or cleared.
    if (this.#changed !== changed) return [];
    this.#replace(kinds.map((kind, index) => [kind, results[index]] as const));
    const missing = kinds.flatMap((kind, index) => {
      const one = results[index];
      if (!(one instanceof Error)) return [];
      return { kind, message: one.message, waitMs: one instanceof ApiError ? one.retryAfter * 1000 : 0 };
    });
    if (missing.length === 0) this.#changed = undefined;
    return missing;
  }

  /**
   * Replaces the relationships by those of the lists, except the relationships of users for whom the gateway sent an
   * event during the request: events are newer than the lists.
   */
  #replace(lists: readonly (readonly [Kind, ListResult | undefined])[]): void {
    const before = this.#byId.keys();
    for (const [kind, result] of lists) {
      if (result === undefined || result instanceof Error) continue;
      const list = result === 'refused' ? [] : result;
      const changed = this.#changed?.[kind];
      for (const id of this.#byId.keys()) if (changed?.has(id) !== true) this.#part(id, kind);
      for (const one of list) if (changed?.has(text(one['id'])) !== true) this.#store(one, kind);
      if (result === 'refused') this.#loaded.delete(kind);
      else this.#loaded.add(kind);
    }
    if (before.length > 0 || lists.some(([, result]) => Array.isArray(result)))
      for (const id of new Set([...before, ...this.#byId.keys()])) this.#moved(id);
  }

  forget(): void {
    this.#changed = undefined;
    this.#byId.clear();
    this.#presences.clear();
    this.#loaded.clear();
  }

  /** Whether the service has sent a list. */
  get isLoaded(): boolean {
    return this.#loaded.size > 0;
  }

  /** Users of the relationships. */
  all(): object[] {
    return this.#byId.values().map(({ user }) => user);
  }

  bond(id: string): Bond {
    return this.#byId.get(id)?.bond ?? NO_BOND;
  }

  /** Relationship type of one kind; undefined when the list of that kind has not arrived. */
  type(id: string, kind: Kind): number | undefined {
    return this.#loaded.has(kind) ? this.bond(id)[kind] : undefined;
  }

  /** Presence of a user; undefined when the service has sent none. */
  presence(id: string): Presence | undefined {
    return this.#presences.get(id);
  }

  /** Replaces all presences by the presences of a new session; a user without a presence is offline. */
  presences(list: unknown): void {
    if (!Array.isArray(list)) return;
    this.#presences.clear();
    for (const one of objectsOf(list)) {
      const id = text(member(one['user'], 'id'));
      if (idOf(id) !== 0n) this.#presences.set(id, presenceOf(one));
    }
  }

  /** Handles the gateway's events of relationships and presences. */
  handleEvent(event: string, data: Raw): void {
    switch (event) {
      case 'RELATIONSHIP_ADD':
      case 'GAME_RELATIONSHIP_ADD':
      case 'RELATIONSHIP_UPDATE': {
        const isGame = event.startsWith('GAME');
        const id = text(data['id']);
        this.#note(id, isGame ? 'gameType' : 'type');
        this.#store(data, isGame ? 'gameType' : 'type');
        if (event !== 'RELATIONSHIP_UPDATE')
          this.#callbacks.notify('SetRelationshipCreatedCallback', idOf(id), !isGame);
        return this.#moved(id);
      }
      case 'RELATIONSHIP_REMOVE':
      case 'GAME_RELATIONSHIP_REMOVE': {
        const isGame = event.startsWith('GAME');
        const id = text(data['id']);
        this.#note(id, isGame ? 'gameType' : 'type');
        if (!this.#byId.has(id)) return;
        this.#part(id, isGame ? 'gameType' : 'type');
        this.#callbacks.notify('SetRelationshipDeletedCallback', idOf(id), !isGame);
        return this.#moved(id);
      }
      case 'PRESENCE_UPDATE': {
        const id = text(member(data['user'], 'id'));
        if (idOf(id) === 0n) return;
        this.#presences.set(id, presenceOf(data));
        if (!this.#byId.has(id)) return;
        this.#moved(id);
        return this.#callbacks.notify('SetUserUpdatedCallback', idOf(id));
      }
      default:
    }
  }

  #store(raw: Raw, kind: Kind): void {
    const id = text(raw['id']);
    const { user } = raw;
    if (idOf(id) === 0n || typeof user !== 'object' || user === null) return;
    this.#users.take(user);
    this.#byId.set(id, { user, bond: bondOf(raw, kind, this.#byId.get(id)?.bond) });
  }

  /** Removes the relationship of one kind with a user. */
  #part(id: string, kind: Kind): void {
    const known = this.#byId.get(id);
    if (known === undefined) return;
    const left = bondOf({ type: NONE }, kind, known.bond);
    if (left.type === NONE && left.gameType === NONE) this.#byId.delete(id);
    else this.#byId.set(id, { ...known, bond: left });
  }

  #note(id: string, kind: Kind): void {
    this.#changed?.[kind].set(id, true);
  }

  #moved(id: string): void {
    this.#callbacks.notify('SetRelationshipGroupsUpdatedCallback', idOf(id));
  }
}

/** Requests all relationships of one kind. Never rejects. */
export async function listOf(service: Service, kind: Kind): Promise<ListResult> {
  try {
    return await service.list(LISTS[kind]);
  } catch (error) {
    const isRefused =
      error instanceof ApiError && error.status < 500 && !TRANSIENT_STATUSES.has(error.status);
    return isRefused ? 'refused' : (error as Error);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void quietTimer(resolve, ms));
}
