import type { Does, Fault, Passing, Strike, Where } from './fault.ts';
import { randomFrom } from './random.ts';

/** Limit, because every request is compared with each fault. */
export const MOST_FAULTS = 100;

/** A fault to add. */
export interface NewFault {
  readonly does: Does;
  readonly where: Where;
  readonly application?: string;
  /** Maximum number of matches. */
  readonly count?: number;
  readonly probability?: number;
  readonly seed?: number;
}

interface Kept {
  fault: Fault;
  readonly random: () => number;
  readonly matches: (passing: Passing) => boolean;
}

/** The active faults, and the check which of them applies to a piece of traffic. */
export class Faults {
  readonly #kept = new Map<string, Kept>();
  /** Listeners for changes of the list. */
  readonly #listeners = new Set<() => void>();
  #last = 0;

  /** Whether the list is empty; a cheap check for frequent callers. */
  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  /** Whether any fault applies to this kind of traffic. */
  has(on: Where['on']): boolean {
    for (const { fault } of this.#kept.values()) if (fault.where.on === on) return true;
    return false;
  }

  /** Adds a fault. @throws Error at {@link MOST_FAULTS}. */
  add({ does, where, application, count, probability = 1, seed = 1 }: NewFault): Fault {
    if (this.#kept.size >= MOST_FAULTS) {
      throw new Error(`there are ${MOST_FAULTS} faults already; remove some first`);
    }
    this.#last += 1;
    const fault: Fault = {
      id: `f${this.#last}`,
      does,
      where,
      ...(application === undefined ? {} : { application }),
      ...(count === undefined ? {} : { left: count }),
      probability,
      seed,
      struck: 0,
    };
    this.#kept.set(fault.id, { fault, random: randomFrom(seed), matches: matcherOf(where, application) });
    this.#changed();
    return fault;
  }

  /** Active faults, oldest first. */
  list(): readonly Fault[] {
    return [...this.#kept.values()].map(({ fault }) => fault);
  }

  /** Removes a fault; false when the id is unknown. */
  remove(id: string): boolean {
    const had = this.#kept.delete(id);
    if (had) this.#changed();
    return had;
  }

  /** Removes all faults. */
  clear(): void {
    this.#kept.clear();
    this.#changed();
  }

  /**
   * First fault that applies to the subject, which counts as a match; undefined for none. `can` lists the effects that
   * the caller can apply: others are skipped, so that several callers may check one request.
   */
  strike(passing: Passing, can: readonly Does['kind'][]): Strike | undefined {
    for (const kept of this.#kept.values()) {
      if (!can.includes(kept.fault.does.kind) || !kept.matches(passing)) continue;
      if (kept.random() >= kept.fault.probability) continue;
      return this.#struck(kept);
    }
    return undefined;
  }

  /** Notifies of added and removed faults until the returned function is called. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #struck(kept: Kept): Strike {
    const { id, does, left, seed, struck } = kept.fault;
    kept.fault = {
      ...kept.fault,
      struck: kept.fault.struck + 1,
      ...(left === undefined ? {} : { left: left - 1 }),
    };
    if (left === 1) this.remove(id);
    return { fault: id, does, seed: (seed + struck) >>> 0 };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function matcherOf(where: Where, application: string | undefined): (passing: Passing) => boolean {
  const path = where.on === 'http' && where.path !== undefined ? pathPattern(where.path) : undefined;
  return (passing) => {
    if (passing.on !== where.on) return false;
    if (application !== undefined && passing.application !== application) return false;
    if (where.on === 'rpc' && passing.on === 'rpc')
      return where.command === undefined || where.command === passing.command;
    if (where.on === 'http' && passing.on === 'http') {
      return (
        (where.method === undefined || where.method === passing.method) &&
        (path === undefined || path.test(passing.path))
      );
    }
    return true;
  };
}

/** A part of a path that is `*` or a name in braces matches any part. */
function pathPattern(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) =>
      part === '*' || /^\{.*\}$/.test(part) ? '[^/]+' : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    );
  return new RegExp(`^${parts.join('/')}$`);
}
