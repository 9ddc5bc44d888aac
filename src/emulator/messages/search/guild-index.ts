import { ownText } from '../../kernel/own-text.ts';
import { byKey, type Entry, OrderedRows } from '../../kernel/state/ordered-rows.ts';
import type { Room } from '../../kernel/state/room.ts';
import { textBytes } from '../../kernel/state/row-bytes.ts';
import type { Message } from '../records.ts';
import { wordsOf } from './words.ts';

/** A message and what it says: its words in their order, each as the number that the index has given it. */
export interface Document {
  readonly message: Message;
  /** The number of its channel. */
  readonly channel: number;
  readonly words: readonly number[];
}

/** What there may be too little of for an index: memory, or numbers for its words. */
export type Lacking = 'bytes' | 'words';

/** So many words that nobody uses any more are nothing to speak of. */
const FEW_WORDS = 1000;
/** Most words of one index: a map of V8 has no room for more than 2^24. */
export const MAX_WORDS = 16_000_000;
/** What a document takes besides the numbers of its words, each of those, and a word besides its letters (bytes). */
const DOCUMENT_BYTES = 150;
const NUMBER_BYTES = 8;
const WORD_BYTES = 60;

/** The messages of one guild in the order in which they were made, ready to be looked through by their words. */
export class GuildIndex {
  readonly #room: Pick<Room, 'borrow' | 'giveBack'>;
  readonly #maxWords: number;
  readonly #documents = new OrderedRows<Document>(byKey);
  readonly #words = new Map<string, number>();
  readonly #channels = new Map<string, number>();
  /** Words of all documents, each as often as it is said. */
  #spoken = 0;
  #bytes = 0;

  /** What it takes is borrowed from `room`. */
  constructor(room: Pick<Room, 'borrow' | 'giveBack'>, maxWords = MAX_WORDS) {
    this.#room = room;
    this.#maxWords = maxWords;
  }

  get size(): number {
    return this.#documents.size;
  }

  /** Bytes that it takes, estimated. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Different words that it knows. */
  get words(): number {
    return this.#words.size;
  }

  /** Whether most of the words that it knows are in no message any more: a new one would be smaller. */
  get isWorn(): boolean {
    return this.#words.size > FEW_WORDS + 2 * this.#spoken;
  }

  /** Words of a message on average. */
  get usualLength(): number {
    return this.#spoken / this.size;
  }

  /** Goes through all of it, oldest first. */
  forEach(visit: (document: Document) => void): void {
    this.#documents.forEach(visit);
  }

  /** The number of a word; undefined for one that no message ever said. */
  wordNumber(word: string): number | undefined {
    return this.#words.get(word);
  }

  /** The number of a channel; undefined for one in which nobody ever wrote. */
  channelNumber(id: string): number | undefined {
    return this.#channels.get(id);
  }

  /** Takes a message in, or what has become of one. What there is too little of for it: the index is good for nothing then. */
  put(message: Message): Lacking | undefined {
    this.drop(message.id);
    const { id, content, snapshot } = message;
    const said = wordsOf(content === '' ? (snapshot?.content ?? '') : content);
    const fresh = new Set(said.filter((word) => !this.#words.has(word)));
    let bytes = documentBytes(said.length);
    for (const word of fresh) bytes += WORD_BYTES + textBytes(word);
    if (this.#words.size + fresh.size > this.#maxWords) return 'words';
    if (!this.#room.borrow(bytes)) return 'bytes';
    this.#bytes += bytes;
    const words = said.map((word) => numberIn(this.#words, word));
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

  /** Gives back what it has borrowed: it is not used any more. */
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
