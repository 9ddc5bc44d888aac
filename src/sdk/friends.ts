import { RpcError } from '../client/errors.ts';
import type { Relationship } from '../client/index.ts';
import type { ChatClient } from './chat-client.ts';
import { LoggingSeverity } from './enums.ts';
import { ABSENT, type Bond, NO_BOND, type Presence } from './known.ts';
import type { Log } from './log.ts';
import { numberOf, objectsOf, text } from './raw.ts';

const REMOVED = 0;

/** Relationships of the user from the chat client, updated by RELATIONSHIP_UPDATE. */
export class Friends {
  readonly #log: Log;
  readonly #byId = new Map<string, Relationship>();
  readonly #onChange: (id: bigint) => void;
  #loading: Promise<void> | undefined;

  constructor(log: Log, onChange: (id: bigint) => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  /**
   * Reloads all relationships; the list is empty when the token lacks the scope. Concurrent calls share one request.
   */
  load(chat: ChatClient): Promise<void> {
    this.#loading ??= this.#load(chat).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(chat: ChatClient): Promise<void> {
    chat.want('RELATIONSHIP_UPDATE', (relationship) => this.#update(relationship));
    try {
      const answer: { readonly relationships?: unknown } | null = await chat.rpc.request(
        'GET_RELATIONSHIPS',
        {},
        chat.inTime,
      );
      this.#replace(Array.isArray(answer?.relationships) ? answer.relationships : []);
    } catch (error) {
      if (error instanceof RpcError) this.forget();
      this.#log.write(LoggingSeverity.Verbose, `GET_RELATIONSHIPS: ${(error as Error).message}`);
    }
  }

  forget(): void {
    this.#replace([]);
  }

  /** Users of the relationships. */
  all(): object[] {
    return [...this.#byId.values()].map(({ user }) => user);
  }

  user(id: string): object | undefined {
    return this.#byId.get(id)?.user;
  }

  bond(id: string): Bond {
    const known = this.#byId.get(id);
    return known === undefined ? NO_BOND : { ...NO_BOND, type: numberOf(known.type) };
  }

  /** Presence of a friend; undefined when the chat client sends none. */
  presence(id: string): Presence | undefined {
    const previous = this.#byId.get(id)?.presence;
    return (
      previous && {
        status: text(previous.status) || ABSENT.status,
        activities: objectsOf([previous.activity]),
      }
    );
  }

  #replace(relationships: readonly (Relationship | null)[]): void {
    const changed = new Set(this.#byId.keys());
    this.#byId.clear();
    for (const relationship of relationships) {
      const id = idOf(relationship);
      if (relationship && id) this.#byId.set(id, relationship);
    }
    for (const id of this.#byId.keys()) changed.add(id);
    for (const id of changed) this.#notify(id);
  }

  #update(relationship: Relationship | null): void {
    const id = idOf(relationship);
    if (!relationship || !id) return;
    if (relationship.type === REMOVED) this.#byId.delete(id);
    else this.#byId.set(id, relationship);
    this.#notify(id);
  }

  #notify(id: string): void {
    this.#onChange(BigInt(id));
  }
}

/** Returns the user id of a relationship; undefined for a relationship without a valid user. */
function idOf(relationship: Relationship | null): string | undefined {
  const id: unknown = relationship?.user?.id;
  return typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : undefined;
}
