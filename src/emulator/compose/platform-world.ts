import { type Committed, type StateRule, World, type Writing, warnOf } from '../api/world.ts';
import type { Log } from '../kernel/log.ts';
import type { RoomLimits } from '../kernel/state/room.ts';
import type { Snapshot } from '../kernel/state/tables.ts';
import { type Failure, Listeners, type Recovery } from '../kernel/state/telling.ts';
import { type Kinds, kinds } from '../schema.ts';
import { type Change, type Derived, derivations } from './change.ts';
import { rules } from './rules.ts';

/**
 * A state with all that keeps it true to itself and all that is told of it; `more` are rules that go by the time.
 * @throws NoRoomError for rows that take more than `limits` allow.
 */
export function platformWorld(
  rows: Snapshot<Kinds>,
  log: Log,
  more?: readonly StateRule[],
  limits?: RoomLimits,
): PlatformWorld {
  const world = new PlatformWorld(rows, log, more, limits);
  world.start();
  return world;
}

/** The state with all that keeps it true to itself, and what its transactions mean to those who listen. */
export class PlatformWorld extends World {
  readonly #listeners: Listeners<Change>;
  /** Takes what the transaction under way is told as. */
  #collect: ((changes: readonly Derived[]) => void) | undefined;

  constructor(rows: Snapshot<Kinds>, log: Log, more: readonly StateRule[] = [], limits?: RoomLimits) {
    super({ kinds, rows, rules: [...rules, ...more], log, limits });
    this.#listeners = new Listeners((failure: Failure) => warnOf(log, failure));
  }

  /** Begins to derive; first of all, so that whoever listens here hears before all others. */
  start(): void {
    this.subscribeCommits((commit) => this.#committed(commit), {
      name: 'what transactions mean',
      recover: () => {},
    });
    this.subscribeSignals((signal) => this.#listeners.tell(signal), { name: 'signals', recover: () => {} });
  }

  /** Tells what transactions mean, and signals. One that throws disturbs nobody, and recovers. The returned function ends it. */
  subscribe(listener: (change: Change) => void, recovery: Recovery): () => void {
    return this.#listeners.add(listener, recovery);
  }

  /** The same as a transaction; returns what is told. */
  changes(change: (tables: Writing) => void): readonly Derived[] {
    return this.#collected(() => this.transaction(change));
  }

  /** Becomes another state, which does not follow from the current one; returns what is told. */
  replaced(rows: Snapshot<Kinds>): readonly Derived[] {
    return this.#collected(() => this.replace(rows));
  }

  #committed(commit: Committed): void {
    // A state that is only being filled has nobody to tell.
    if (this.#listeners.size === 0 && this.#collect === undefined) return;
    const changes: Derived[] = [];
    for (const derive of derivations) {
      try {
        changes.push(...derive(commit, this.tables));
      } catch (error) {
        // The transaction counts all the same: whoever asked for it is not to hear otherwise.
        this.queue(() => this.#listeners.lost(error));
      }
    }
    this.#collect?.(changes);
    for (const change of changes) this.queue(() => this.#listeners.tell(change));
  }

  #collected(change: () => void): readonly Derived[] {
    let collected: readonly Derived[] = [];
    this.#collect = (changes) => {
      collected = changes;
      // What listeners do about it is not part of it.
      this.#collect = undefined;
    };
    try {
      change();
    } finally {
      this.#collect = undefined;
    }
    return collected;
  }
}
