import type { Change } from './behaviour.ts';

/** A broken server: what it does wrong, and the cases that must notice. */
export interface Fault {
  readonly change: Change;
  readonly caught: readonly string[];
}

/** Ids of cases in a row. */
export function range(section: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${section}/${from + index}`);
}

/** A fault that is a trait of its own. */
export function trait(name: string, ...caught: string[]): Fault {
  return { change: { traits: [name] }, caught };
}

/** A fault that is a rule not enforced. */
export function lenient(name: string, ...caught: string[]): Fault {
  return { change: { lenient: [name] }, caught };
}
