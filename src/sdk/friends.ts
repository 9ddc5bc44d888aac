import { isolate } from '../client/emitter.ts';
import type { Relationship } from '../client/index.ts';
import type { ChatClient } from './chat-client.ts';
import { LoggingSeverity, type RelationshipGroupType } from './enums.ts';
import { RelationshipHandle } from './handles.ts';
import type { Log } from './log.ts';

/** Called with the user whose change may have moved somebody into another group. */
export type RelationshipGroupsUpdatedCallback = (userId: bigint) => void;

const REMOVED = 0;

/** Everybody the user knows, kept up to date from RELATIONSHIP_UPDATE. */
export class Friends {
  readonly #log: Log;
  readonly #byId = new Map<string, Relationship>();
  #callback: RelationshipGroupsUpdatedCallback | undefined;
  #loading: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  listen(callback: RelationshipGroupsUpdatedCallback | undefined): void {
    this.#callback = callback;
  }

  /** Reads everybody anew; without the scope there is nobody. Twice at the same time is once. */
  load(chat: ChatClient): Promise<void> {
    this.#loading ??= this.#load(chat).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(chat: ChatClient): Promise<void> {
    chat.want('RELATIONSHIP_UPDATE', (relationship) => this.#update(relationship));
    try {
      const { relationships } = await chat.rpc.request('GET_RELATIONSHIPS');
      const before = [...this.#byId.keys()];
      this.#byId.clear();
      for (const relationship of relationships) this.#byId.set(relationship.user.id, relationship);
      for (const id of new Set([...before, ...this.#byId.keys()])) this.#tell(id);
    } catch (error) {
      this.#log.tell(LoggingSeverity.Verbose, `GET_RELATIONSHIPS: ${(error as Error).message}`);
    }
  }

  forget(): void {
    this.#byId.clear();
  }

  group(group: RelationshipGroupType, applicationId: bigint): RelationshipHandle[] {
    const handles = [...this.#byId.values()].map((relationship) => new RelationshipHandle(relationship));
    return handles.filter((handle) => handle.Group(applicationId) === group);
  }

  #update(relationship: Relationship): void {
    const id = relationship.user?.id;
    if (typeof id !== 'string') return;
    if (relationship.type === REMOVED) this.#byId.delete(id);
    else this.#byId.set(id, relationship);
    this.#tell(id);
  }

  #tell(id: string): void {
    if (this.#callback && /^\d{1,20}$/.test(id)) isolate(() => this.#callback?.(BigInt(id)));
  }
}
