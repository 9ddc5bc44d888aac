import { setImmediate as nextTurn } from 'node:timers/promises';
import { ownText } from '../../kernel/own-text.ts';
import { byKey, type Entry, OrderedRows } from '../../kernel/state/ordered-rows.ts';
import type { Room } from '../../kernel/state/room.ts';
import { textBytes } from '../../kernel/state/row-bytes.ts';
import type { Message } from '../records.ts';
import { wordsOf } from './words.ts';

/** A message with its words in order, each as its number in the index. */
export interface Document {
  readonly message: Message;
  /** Number of its channel. */
  readonly channel: number;
  readonly words: readonly number[];
}

/** A resource that an index may run out of: memory, or numbers for its words. */
export type Lacking = 'bytes' | 'words';

/** Number of documents that a search visits in one turn of the event loop, which takes about a millisecond without filters. */
const PER_TURN = 2000;
/** Number of unused words up to which an index is not rebuilt. */
const FEW_WORDS = 1000;
/** Maximum number of words in an index: a map of V8 holds at most 2^24 entries. */
export const MAX_WORDS = 16_000_000;
/**
 * Estimated memory (bytes) of a document without its words, of each word number in a document, and of a word without
 * its letters.
 */
const DOCUMENT_BYTES = 150;
const NUMBER_BYTES = 8;
const WORD_BYTES = 60;

/** Search index of one guild's messages, in the order of their creation. */
export class GuildIndex {
  readonly #room: Pick<Room, 'borrow' | 'giveBack'>;
  readonly #maxWords: number;
  readonly #documents = new OrderedRows<Document>(byKey);
  readonly #words = new Map<string, number>();
  readonly #channels = new Map<string, number>();
  #searches: Promise<unknown> = Promise.resolve();
  /** Total number of words in all documents. */
  #spoken = 0;
  #bytes = 0;

  /** The index borrows its memory from `room`. */
  constructor(room: Pick<Room, 'borrow' | 'giveBack'>, maxWords = MAX_WORDS) {
    this.#room = room;
    this.#maxWords = maxWords;
  }

  get size(): number {
    return this.#documents.size;
  }

  /** Estimated memory of the index (bytes). */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of different words. */
  get words(): number {
    return this.#words.size;
  }

  /** Whether most of the index's words no longer occur in any message, so that a rebuilt index would be smaller. */
  get isWorn(): boolean {
    return this.#words.size > FEW_WORDS + 2 * this.#spoken;
  }

  /** Average number of words per message. */
  get usualLength(): number {
    return this.#spoken / this.size;
  }

  /** Runs a search after those before it, because each holds all that it found. */
  inTurn<T>(search: () => Promise<T>): Promise<T> {
    const searched = this.#searches.then(search);
    this.#searches = searched.catch(() => {});
    return searched;
  }

  /** Visits all documents, oldest first, a part of them in each turn of the event loop. */
  async visit(visit: (document: Document) => void): Promise<void> {
    let key = this.#documents.visit('', PER_TURN, visit);
    while (key !== undefined) {
      await nextTurn();
      key = this.#documents.visit(key, PER_TURN, visit);
    }
  }

  /** The number of a word; undefined for a word that was not indexed. */
  wordNumber(word: string): number | undefined {
    return this.#words.get(word);
  }

  /** The number of a channel; undefined for a channel without indexed messages. */
  channelNumber(id: string): number | undefined {
    return this.#channels.get(id);
  }

  /** Adds or updates a message. If a resource is exhausted, returns its name; the index is then unusable. */
  put(message: Message): Lacking | undefined {
    this.drop(message.id);
    const { id, content, snapshot } = message;
    const contentWords = wordsOf(content === '' ? (snapshot?.content ?? '') : content);
    const fresh = new Set(contentWords.filter((word) => !this.#words.has(word)));
    let bytes = documentBytes(contentWords.length);
    for (const word of fresh) bytes += WORD_BYTES + textBytes(word);
    if (this.#words.size + fresh.size > this.#maxWords) return 'words';
    if (!this.#room.borrow(bytes)) return 'bytes';
    this.#bytes += bytes;
    const words = contentWords.map((word) => numberIn(this.#words, word));
    const channel = numberIn(this.#channels, message.channel);
    const entry: Entry<Document> = { key: id, row: { message, channel, words }, rank: 0 };
    this.#documents.add(entry);
    this.#spoken += words.length;
    return undefined;
  }

  has(id: string): boolean {
    return this.#documents.entry(id) !== undefined;
  }

  drop(id: string): void {
    const entry = this.#documents.entry(id);
    if (entry === undefined) return;
    this.#documents.delete(entry);
    const { length } = entry.row.words;
    this.#spoken -= length;
    this.#giveBack(documentBytes(length));
  }

  /** Returns the borrowed memory; the index must not be used afterwards. */
  close(): void {
    this.#giveBack(this.#bytes);
  }

  #giveBack(bytes: number): void {
    this.#bytes -= bytes;
    this.#room.giveBack(bytes);
  }
}

function documentBytes(words: number): number {
  return DOCUMENT_BYTES + NUMBER_BYTES * words;
}

function numberIn(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const next = numbers.size;
  numbers.set(ownText(text), next);
  return next;
}
