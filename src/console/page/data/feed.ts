import type { JournalEntry } from '../../../journal/entry.ts';
import { Rates } from './rates.ts';
import type { Status } from './status.ts';

/** Maximum of stored entries, the same as in the bridge's journal. */
const MAX_ENTRIES = 5000;

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

type Listener = () => void;

/** Live data from the bridge. Listeners are notified at most once per animation frame. */
export class Feed {
  readonly entries: JournalEntry[] = [];
  readonly rates = new Rates();
  link: Link = { kind: 'connecting' };
  /** Last status of the bridge: of the past while the link is down; undefined before the first. */
  status: Status | undefined;
  /** Number of entries that were dropped before this page could read them. */
  dropped = 0;
  /** Reason why the bridge has no journal; undefined where it has one. */
  journalOff: string | undefined;
  /** Number of entries removed from the start of `entries`, so that positions stay valid. */
  forgotten = 0;
  readonly #listeners = new Set<Listener>();
  #isDue = false;

  /** Connects to the console; the browser reconnects by itself. */
  start(): void {
    const source = new EventSource('/events?after=0');
    source.addEventListener('journal', ({ data }: MessageEvent<string>) =>
      this.#take(JSON.parse(data) as Page),
    );
    source.addEventListener('status', ({ data }: MessageEvent<string>) => {
      this.status = JSON.parse(data) as Status;
      this.#changed();
    });
    source.addEventListener('state', ({ data }: MessageEvent<string>) => {
      const { bridge, message = 'no bridge answers' } = JSON.parse(data) as State;
      if (bridge === 'up') this.#setLink({ kind: 'up' });
      else this.#setDown(message);
    });
    source.addEventListener('error', () => {
      this.#setDown('The console does not answer. Start "footbridge console" again.');
    });
  }

  /** Calls the listener after changes, until the returned function is called. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #setDown(why: string): void {
    const since = this.link.kind === 'down' ? this.link.since : Date.now();
    this.#setLink({ kind: 'down', why, since });
  }

  #setLink(link: Link): void {
    this.link = link;
    this.#changed();
  }

  #take({ entries, dropped, off }: Page): void {
    this.journalOff = off;
    this.dropped += dropped;
    for (const entry of entries) this.rates.count(entry);
    this.entries.push(...entries);
    const over = this.entries.length - MAX_ENTRIES;
    if (over > 0) {
      this.entries.splice(0, over);
      this.forgotten += over;
    }
    this.#changed();
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

interface Page {
  readonly entries: readonly JournalEntry[];
  readonly dropped: number;
  readonly off?: string;
}

interface State {
  readonly bridge: 'up' | 'down';
  readonly message?: string;
}
