import type { JournalEntry } from '../../../journal/entry.ts';
import type { Exchange } from '../../../journal/exchange.ts';
import { Exchanges, orderByBegin } from '../../../journal/exchanges.ts';
import { AppNames } from './app-names.ts';
import { Rates } from './rates.ts';
import { type RowReader, RowStore } from './row-store.ts';
import type { Status } from './status.ts';
import { followStream } from './stream.ts';

/** Connection to the bridge. */
export type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'up' }
  | {
      readonly kind: 'down';
      readonly why: string;
      /** Time at which the page noticed it, in ms since the Unix epoch. */
      readonly since: number;
    };

/** Period in which interactions without an answer are looked for (ms). */
const EXPIRY_MS = 1000;

type Listener = () => void;

/** Live data from the bridge. Listeners are notified at most once per animation frame. */
export class Feed {
  readonly rates = new Rates();
  readonly names = new AppNames();
  /** Rows that stay when others are removed. */
  readonly pins = new Set<Exchange>();
  readonly #exchanges = new Exchanges();
  readonly #store = new RowStore();
  link: Link = { kind: 'connecting' };
  /** Last status of the bridge: of the past while the link is down; undefined before the first. */
  status: Status | undefined;
  /** Number of entries that were dropped before this page could read them. */
  dropped = 0;
  /** File that the rows are of; undefined for the rows of the bridge. */
  recorded:
    | { readonly name: string; readonly core: string | undefined; readonly entries: number }
    | undefined;
  /** Reason why the bridge has no journal; undefined where it has one. */
  journalOff: string | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #readers = new Set<RowReader>();
  #isDue = false;
  #isExpiring = false;

  /** Follows the console while the page is open. */
  start(): void {
    void followStream({
      journal: (data) => this.take(JSON.parse(data) as Page),
      status: (status) => {
        this.status = status;
        this.names.learnAll(status);
        for (const { id, clientId } of status.sessions)
          if (clientId !== null) this.#exchanges.learn(id, clientId);
        this.#changed();
      },
      state: (data) => {
        const { bridge, message = 'no bridge answers' } = JSON.parse(data) as State;
        if (bridge === 'up') this.#setLink({ kind: 'up' });
        else this.#setDown(message);
      },
      lost: () => this.#setDown('The console does not answer. Start "footbridge console" again.'),
    });
  }

  /** Calls the listener after changes, until the returned function is called. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Rows of the traffic, oldest first. */
  get rows(): readonly Exchange[] {
    return this.#store.rows;
  }

  /** Gives each later change of the rows to a reader at once, until the returned function is called. */
  read(reader: RowReader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Removes all rows. */
  clear(): void {
    this.#store.clear();
    for (const { removed } of this.#readers) removed(this.#store.firstId);
    this.#changed();
  }

  #setDown(why: string): void {
    const since = this.link.kind === 'down' ? this.link.since : Date.now();
    this.#setLink({ kind: 'down', why, since });
  }

  #setLink(link: Link): void {
    this.link = link;
    this.#changed();
  }

  /** Takes the next entries. */
  take({ entries, dropped, off }: Page): void {
    this.journalOff = off;
    this.dropped += dropped;
    const added: Exchange[] = [];
    const next = this.#store.nextId;
    const answered = new Set<Exchange>();
    for (const entry of entries) {
      const change = this.#exchanges.add(entry);
      this.rates.count(entry, change);
      this.#store.count(entry, change);
      if (change.isNew) added.push(change.row);
      else if (change.row.id < next) answered.add(change.row);
      for (const row of change.others) if (row.id < next) answered.add(row);
    }
    orderByBegin(added);
    this.#store.add(added);
    const removed = this.#store.forgetOldest();
    for (const reader of this.#readers) {
      reader.changed(answered);
      reader.added(added);
      if (removed > 0) reader.removed(this.#store.firstId);
    }
    this.#expireLater();
    this.#changed();
  }

  /** An interaction that its bot does not answer fails without another entry. */
  #expireLater(): void {
    if (this.#isExpiring || this.recorded !== undefined || !this.#exchanges.hasInteractions) return;
    this.#isExpiring = true;
    setTimeout(() => {
      this.#isExpiring = false;
      const late = this.#exchanges.expire(Date.now());
      this.rates.countErrors(late);
      for (const { changed } of this.#readers) changed(late);
      this.#expireLater();
      this.#changed();
    }, EXPIRY_MS);
  }

  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Entries that come together. */
interface Page {
  readonly entries: readonly JournalEntry[];
  readonly dropped: number;
  readonly off?: string;
}

interface State {
  readonly bridge: 'up' | 'down';
  readonly message?: string;
}
