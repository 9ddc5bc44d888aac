import type { Fault, FaultEffect, FaultMatch, FaultSubject, Where } from './fault.ts';
import { randomFrom } from './random.ts';

/** Maximum number of faults. It is limited because every request is compared with each fault. */
export const MAX_FAULTS = 100;

/** A fault to add. */
export interface NewFault {
  readonly effect: FaultEffect;
  readonly where: Where;
  readonly application?: string;
  /** Maximum number of matches. */
  readonly count?: number;
  readonly probability?: number;
  readonly seed?: number;
}

interface FaultEntry {
  fault: Fault;
  readonly random: () => number;
  readonly matches: (subject: FaultSubject) => boolean;
}

/** The active faults. They are searched for a fault that applies to a piece of traffic. */
export class Faults {
  readonly #entry = new Map<string, FaultEntry>();
  /** Listeners for added and removed faults. */
  readonly #listeners = new Set<() => void>();
  #last = 0;

  /** Whether no fault is set; a cheap check for code that runs often. */
  get isEmpty(): boolean {
    return this.#entry.size === 0;
  }

  /** Whether any fault is set for this kind of traffic. */
  has(on: Where['on']): boolean {
    for (const { fault } of this.#entry.values()) if (fault.where.on === on) return true;
    return false;
  }

  /** Adds a fault. @throws Error when {@link MAX_FAULTS} faults exist. */
  add({ effect, where, application, count, probability = 1, seed = 1 }: NewFault): Fault {
    if (this.#entry.size >= MAX_FAULTS) {
      throw new Error(`there are ${MAX_FAULTS} faults already; remove some first`);
    }
    this.#last += 1;
    const fault: Fault = {
      id: `f${this.#last}`,
      effect,
      where,
      ...(application === undefined ? {} : { application }),
      ...(count === undefined ? {} : { left: count }),
      probability,
      seed,
      struck: 0,
    };
    this.#entry.set(fault.id, { fault, random: randomFrom(seed), matches: matcherOf(where, application) });
    this.#changed();
    return fault;
  }

  /** Active faults, oldest first. */
  list(): readonly Fault[] {
    return [...this.#entry.values()].map(({ fault }) => fault);
  }

  /** Removes a fault; false for an unknown id. */
  remove(id: string): boolean {
    const had = this.#entry.delete(id);
    if (had) this.#changed();
    return had;
  }

  /** Removes all faults. */
  clear(): void {
    this.#entry.clear();
    this.#changed();
  }

  /**
   * The first fault that applies to the subject, with its match counted; undefined when no fault applies. `can` lists
   * the effects that the caller can apply. Faults with other effects are skipped, so that several callers may check one
   * request.
   */
  match(subject: FaultSubject, can: readonly FaultEffect['kind'][]): FaultMatch | undefined {
    for (const entry of this.#entry.values()) {
      if (!can.includes(entry.fault.effect.kind) || !entry.matches(subject)) continue;
      if (entry.random() >= entry.fault.probability) continue;
      return this.#struck(entry);
    }
    return undefined;
  }

  /** Calls a listener after each added or removed fault, until the returned function is called. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #struck(entry: FaultEntry): FaultMatch {
    const { id, effect, left, seed, struck } = entry.fault;
    entry.fault = {
      ...entry.fault,
      struck: entry.fault.struck + 1,
      ...(left === undefined ? {} : { left: left - 1 }),
    };
    if (left === 1) this.remove(id);
    return { fault: id, effect, seed: (seed + struck) >>> 0 };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function matcherOf(where: Where, application: string | undefined): (subject: FaultSubject) => boolean {
  const path = where.on === 'http' && where.path !== undefined ? pathPattern(where.path) : undefined;
  return (subject) => {
    if (subject.on !== where.on) return false;
    if (application !== undefined && subject.application !== application) return false;
    if (where.on === 'rpc' && subject.on === 'rpc')
      return where.command === undefined || where.command === subject.command;
    if (where.on === 'http' && subject.on === 'http') {
      return (
        (where.method === undefined || where.method === subject.method) &&
        (path === undefined || path.test(subject.path))
      );
    }
    return true;
  };
}

/** Pattern for a path. A segment that is `*` or a name in braces matches any segment. */
export function pathPattern(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) =>
      part === '*' || /^\{.*\}$/.test(part) ? '[^/]+' : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    );
  return new RegExp(`^${parts.join('/')}$`);
}
