import { findUser } from './accounts/accounts.ts';
import type { Change } from './change.ts';
import { diffFixture } from './fixture/diff.ts';
import type { Fixture, User } from './fixture/fixture.ts';
import { settle } from './fixture/settle.ts';
import type { Log } from './log.ts';

/** Holds the fixture-shaped state. Every way to change it goes through `commit`, so that each difference is told. */
export class World {
  readonly #log: Log;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #waiting: Change[] = [];
  #state: Fixture;
  #telling = false;

  constructor(fixture: Fixture, log: Log) {
    this.#state = settle(fixture);
    this.#log = log;
  }

  get state(): Fixture {
    return this.#state;
  }

  me(): User {
    const user = findUser(this.#state, this.#state.me);
    // A fixture is validated before it gets here, so this is a defect and not an input.
    if (user === undefined) throw new Error('the logged-in user is not in the fixture');
    return user;
  }

  /** Makes a new state current and tells the differences; returns them. */
  commit(next: Fixture): readonly Change[] {
    return this.#become(settle(next, this.#state));
  }

  /** The same for a whole other state, which does not follow from the current one. */
  replace(next: Fixture): readonly Change[] {
    return this.#become(settle(next));
  }

  #become(next: Fixture): readonly Change[] {
    const changes = diffFixture(this.#state, next);
    this.#state = next;
    this.tell(...changes);
    return changes;
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells changes in order. A change that a listener causes is told after the ones already waiting. */
  tell(...changes: readonly Change[]): void {
    this.#waiting.push(...changes);
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let change = this.#waiting.shift(); change !== undefined; change = this.#waiting.shift()) {
        for (const listener of [...this.#listeners]) this.#deliver(listener, change);
      }
    } finally {
      this.#telling = false;
    }
  }

  #deliver(listener: (change: Change) => void, change: Change): void {
    try {
      listener(change);
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      this.#log.warn(`a listener failed on ${change.type}: ${name}`);
    }
  }

  /** The state without client secrets, followed by the applications in `more`. */
  show(more: Fixture['applications']): Fixture {
    const applications = [...this.#state.applications, ...more].map((record) => ({
      ...record,
      secret: null,
    }));
    return { ...this.#state, applications };
  }
}
