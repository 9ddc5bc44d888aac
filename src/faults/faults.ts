import type { Does, Fault, Passing, Strike, Where } from './fault.ts';
import { randomFrom } from './random.ts';

/** Faults at a time: each costs every request a look. */
export const MOST_FAULTS = 100;

/** A fault to put in. */
export interface NewFault {
  readonly does: Does;
  readonly where: Where;
  readonly application?: string;
  /** How often it strikes at most. */
  readonly count?: number;
  readonly probability?: number;
  readonly seed?: number;
}

interface Kept {
  fault: Fault;
  readonly random: () => number;
  readonly matches: (passing: Passing) => boolean;
}

/** Things that go wrong on purpose: what there are, and which of them strikes when something passes. */
export class Faults {
  readonly #kept = new Map<string, Kept>();
  /** Who wants to be told that there are other faults. */
  readonly #listeners = new Set<() => void>();
  #last = 0;

  /** Whether there is none: whoever passes often asks this first. */
  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  /** Whether there is one for this kind of traffic. */
  has(on: Where['on']): boolean {
    for (const { fault } of this.#kept.values()) if (fault.where.on === on) return true;
    return false;
  }

  /** Puts one in. @throws Error where there are too many. */
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

  /** All that are left, in the order in which they were put in. */
  list(): readonly Fault[] {
    return [...this.#kept.values()].map(({ fault }) => fault);
  }

  /** Takes one out; false when there is none with that id. */
  remove(id: string): boolean {
    const had = this.#kept.delete(id);
    if (had) this.#changed();
    return had;
  }

  /** Takes all out. */
  clear(): void {
    this.#kept.clear();
    this.#changed();
  }

  /**
   * The first fault that strikes what passes, which counts as a strike; undefined for none. `can` are the kinds that mean
   * something at this place: others are not looked at, so that one request may be asked about at several places.
   */
  strike(passing: Passing, can: readonly Does['kind'][]): Strike | undefined {
    for (const kept of this.#kept.values()) {
      if (!can.includes(kept.fault.does.kind) || !kept.matches(passing)) continue;
      if (kept.random() >= kept.fault.probability) continue;
      return this.#struck(kept);
    }
    return undefined;
  }

  /** Tells that faults have come or gone, until the returned function is called. */
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

/** A part of a path that is `*`, or a name in braces, is any part. */
function pathPattern(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) =>
      part === '*' || /^\{.*\}$/.test(part) ? '[^/]+' : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    );
  return new RegExp(`^${parts.join('/')}$`);
}
