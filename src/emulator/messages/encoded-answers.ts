import { EncodedList } from '../api/encoded-list.ts';
import type { Reading } from '../api/world.ts';
import type { User } from '../users/records.ts';
import { maySeeContent, messageAnswer, type Viewer } from './answers.ts';
import { mentionsOf } from './mentions.ts';
import type { Message } from './records.ts';

/** Maximum number of texts that are kept for each of two classes of viewers, and of all their characters. */
const MAX_TEXTS = 8192;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Answers of messages as JSON, each with the author's row that it shows; the oldest first. */
class Texts {
  readonly #kept = new Map<Message, { readonly text: string; readonly author: User | undefined }>();
  #characters = 0;

  /** Rows never change, so a text is right as long as its rows are those of the tables. */
  get(message: Message, author: User | undefined): string | undefined {
    const found = this.#kept.get(message);
    return found?.author === author ? found?.text : undefined;
  }

  /** Keeps a text and returns it. */
  set(message: Message, author: User | undefined, text: string): string {
    this.#forget(message);
    this.#kept.set(message, { text, author });
    this.#characters += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_TEXTS && this.#characters <= MAX_CHARACTERS) break;
      this.#forget(oldest);
    }
    return text;
  }

  #forget(message: Message): void {
    this.#characters -= this.#kept.get(message)?.text.length ?? 0;
    this.#kept.delete(message);
  }
}

/**
 * Whether a message's answer shows its own row and its author's and nothing else: no files, reactions, votes, thread,
 * other messages or users.
 */
function dependsOnAuthorAlone(tables: Reading, message: Message): boolean {
  const { id, poll, about, snapshot, interaction } = message;
  if (poll !== undefined || about !== undefined || snapshot !== undefined || interaction !== undefined)
    return false;
  const { users, roles } = mentionsOf(tables, message);
  return (
    users.length === 0 &&
    roles.length === 0 &&
    !tables.channels.has(id) &&
    tables.attachments.by('message', id).size === 0 &&
    tables.reactions.by('message', id).size === 0
  );
}

/** For viewers that see the content, and for those that do not; by the tables of a platform, whose rows they show. */
const textsOf = new WeakMap<Reading, { readonly seen: Texts; readonly hidden: Texts }>();

/** Answers of messages as a list, as `JSON.stringify` writes it. */
export function encodedAnswers(viewer: Viewer, messages: readonly Message[]): EncodedList {
  const { tables } = viewer;
  const kept = textsOf.get(tables) ?? { seen: new Texts(), hidden: new Texts() };
  textsOf.set(tables, kept);
  const encoded = (message: Message): string => JSON.stringify(messageAnswer(viewer, message));
  const items = messages.map((message) => {
    if (!dependsOnAuthorAlone(tables, message)) return encoded(message);
    const texts = kept[maySeeContent(viewer, message) ? 'seen' : 'hidden'];
    const author = tables.users.get(message.author ?? '');
    return texts.get(message, author) ?? texts.set(message, author, encoded(message));
  });
  return new EncodedList(items);
}
