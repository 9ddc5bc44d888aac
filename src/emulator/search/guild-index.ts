import type { Message } from '../messages/records.ts';
import { byKey, type Entry, OrderedRows } from '../state/ordered-rows.ts';
import { wordsOf } from './words.ts';

/** A message and what it says: its words in their order, each as the number that the index has given it. */
export interface Document {
  readonly message: Message;
  /** The number of its channel. */
  readonly channel: number;
  readonly words: readonly number[];
}

/** So many words that nobody uses any more are nothing to speak of. */
const FEW_WORDS = 1000;

/** The messages of one guild in the order in which they were made, ready to be looked through by their words. */
export class GuildIndex {
  readonly #documents = new OrderedRows<Document>(byKey);
  readonly #words = new Map<string, number>();
  readonly #channels = new Map<string, number>();
  /** Words of all documents, each as often as it is said. */
  #spoken = 0;

  get size(): number {
    return this.#documents.size;
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

  /** Takes a message in, or what has become of one. */
  put(message: Message): void {
    this.drop(message.id);
    const { id, content, snapshot } = message;
    const said = wordsOf(content === '' ? (snapshot?.content ?? '') : content);
    const words = said.map((word) => numberIn(this.#words, word));
    const channel = numberIn(this.#channels, message.channel);
    const entry: Entry<Document> = { key: id, row: { message, channel, words }, rank: 0 };
    this.#documents.add(entry);
    this.#spoken += words.length;
  }

  has(id: string): boolean {
    return this.#documents.entry(id) !== undefined;
  }

  drop(id: string): void {
    const entry = this.#documents.entry(id);
    if (entry === undefined) return;
    this.#documents.delete(entry);
    this.#spoken -= entry.row.words.length;
  }
}

function numberIn(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const next = numbers.size;
  numbers.set(text, next);
  return next;
}
