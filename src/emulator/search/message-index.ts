import type MiniSearch from 'minisearch';
import type { Message } from '../messages/records.ts';
import type { Reading, Transaction } from '../world.ts';
import { wordsOf } from './words.ts';

/** Messages that are put into the index at once; others get their turn between. */
const AT_ONCE = 2_000;

/** How far the index is. */
export type IndexStatus =
  | { readonly state: 'ready'; readonly documents: number }
  | { readonly state: 'indexing'; readonly documents: number };

interface Entry {
  readonly id: string;
  readonly text: string;
}

/**
 * Finds messages by their words. It is not there until somebody searches: it is built then, a part at a time, and
 * follows every change from there on.
 */
export class MessageIndex {
  readonly #tables: Reading;
  #index: MiniSearch<Entry> | undefined;
  #hasBegun = false;
  #isReady = false;
  #isClosed = false;

  constructor(tables: Reading) {
    this.#tables = tables;
  }

  /** Begins to build the index when there is none. */
  status(): IndexStatus {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      // Whoever searches next begins anew.
      this.#build().catch(() => {
        this.#hasBegun = false;
      });
    }
    const documents = this.#index?.documentCount ?? 0;
    return { state: this.#isReady ? 'ready' : 'indexing', documents };
  }

  /** Ids of the messages that have all these words, with how well they match. */
  find(text: string): ReadonlyMap<string, number> {
    const found = this.#index?.search(text, { combineWith: 'AND' }) ?? [];
    return new Map(found.map(({ id, score }) => [id as string, score]));
  }

  follow({ events }: Transaction): void {
    if (this.#index === undefined) return;
    for (const event of events) {
      if (event.table !== 'messages') continue;
      if (event.kind !== 'created') this.#drop(event.before.id);
      if (event.kind !== 'removed') this.#add(event.after);
    }
  }

  /** Ends building. */
  close(): void {
    this.#isClosed = true;
  }

  async #build(): Promise<void> {
    const { default: Index } = await import('minisearch');
    this.#index = new Index<Entry>({ fields: ['text'], tokenize: wordsOf, autoVacuum: false });
    // Those that come meanwhile are put there by themselves.
    const ids = [...this.#tables.messages].map(({ id }) => id);
    for (let from = 0; from < ids.length && !this.#isClosed; from += AT_ONCE) {
      for (const id of ids.slice(from, from + AT_ONCE)) {
        const message = this.#tables.messages.get(id);
        if (message !== undefined) this.#add(message);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isReady = true;
  }

  #add({ id, content, snapshot }: Message): void {
    if (this.#index?.has(id) === false)
      this.#index.add({ id, text: content === '' ? (snapshot?.content ?? '') : content });
  }

  #drop(id: string): void {
    if (this.#index?.has(id)) this.#index.discard(id);
  }
}
