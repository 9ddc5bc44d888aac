import type { Transaction, World } from '../../api/world.ts';
import type { Deadline, EmulatorClock } from '../../kernel/clock.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import { isPinned } from '../channels/forum-rules.ts';
import { type ChannelRecord, isThread } from '../channels/records.ts';
import { withArchived } from './rules.ts';

const MINUTE_MS = 60_000;

interface Watched {
  readonly deadline: Deadline;
  /** Since when it is open, as far as this process knows. */
  readonly since: number;
}

/**
 * Archives threads in which nobody writes any more, by the clock. What was before this process saw a thread open does not
 * count: one that is written down as open is open, however old it is.
 */
export class Archiving {
  readonly #world: World;
  readonly #clock: EmulatorClock;
  readonly #watched = new Map<string, Watched>();

  constructor(world: World, clock: EmulatorClock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Minds what is there from the beginning. */
  start(): void {
    for (const channel of this.#world.tables.channels) if (isThread(channel)) this.#mind(channel);
  }

  follow({ events }: Transaction): void {
    for (const event of events) {
      if (event.table !== 'channels') continue;
      const channel = event.kind === 'removed' ? event.before : event.after;
      if (!isThread(channel)) continue;
      if (event.kind === 'updated' && isSame(event.before, event.after)) continue;
      this.#forget(channel.id);
      if (event.kind !== 'removed') this.#mind(channel);
    }
  }

  /** Minds all that is there anew; what is known of how long a thread is open stays. */
  recover(): void {
    const before = new Map([...this.#watched].map(([id, { since }]) => [id, since]));
    this.close();
    for (const channel of this.#world.tables.channels) {
      if (isThread(channel)) this.#mind(channel, before.get(channel.id));
    }
  }

  close(): void {
    for (const id of [...this.#watched.keys()]) this.#forget(id);
  }

  #mind(channel: ChannelRecord, since = this.#clock.now()): void {
    const { id, thread } = channel;
    // A pinned post stays.
    if (thread === null || thread.archived || isPinned(channel)) return;
    const deadline = this.#clock.at(this.#dueOf(id, thread.auto_archive_duration, since), () =>
      this.#look(id),
    );
    this.#watched.set(id, { deadline, since });
  }

  /** Somebody may have written since. */
  #look(id: string): void {
    const watched = this.#watched.get(id);
    const channel = this.#world.tables.channels.get(id);
    this.#watched.delete(id);
    if (watched === undefined || channel === undefined || channel.thread === null) return;
    const { thread } = channel;
    const now = this.#clock.now();
    if (this.#dueOf(id, thread.auto_archive_duration, watched.since) > now)
      return this.#mind(channel, watched.since);
    const archived = withArchived(thread, true, now);
    this.#world.transaction(({ channels }) => channels.update(id, { thread: archived }));
  }

  #dueOf(id: string, minutes: number, since: number): number {
    const [last] = this.#world.tables.messages.by('channel', id).last(1);
    return Math.max(since, last === undefined ? 0 : timeOf(last.id)) + minutes * MINUTE_MS;
  }

  #forget(id: string): void {
    this.#watched.get(id)?.deadline.cancel();
    this.#watched.delete(id);
  }
}

/** Whether nothing is different that decides when a thread is archived. */
function isSame(before: ChannelRecord, after: ChannelRecord): boolean {
  return (
    before.thread?.archived === after.thread?.archived &&
    before.thread?.auto_archive_duration === after.thread?.auto_archive_duration &&
    isPinned(before) === isPinned(after)
  );
}
