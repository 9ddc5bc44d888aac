import { idOf, text } from './raw.ts';
import type { Raw } from './service.ts';

/** By this name Node's console asks what to print. */
export const PRINTED = Symbol.for('nodejs.util.inspect.custom');

/** Something as it was told, by its id. It is printed, and becomes JSON, as what was told. */
export abstract class ToldHandle {
  protected readonly told: Raw;

  constructor(told: Raw) {
    this.told = told;
  }

  Id(): bigint {
    return idOf(this.told['id']);
  }

  toJSON(): object {
    return this.told;
  }

  [PRINTED](): object {
    return this.told;
  }
}

/** One that has a name. */
export abstract class NamedHandle extends ToldHandle {
  Name(): string {
    return text(this.told['name']);
  }
}
