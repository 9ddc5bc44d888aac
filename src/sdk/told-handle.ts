import { Printed } from './printed.ts';
import { idOf, text } from './raw.ts';
import type { Raw } from './service.ts';

/** Snapshot of an object with an id. */
export abstract class ToldHandle extends Printed {
  protected readonly told: Raw;

  constructor(told: Raw) {
    super();
    this.told = told;
  }

  Id(): bigint {
    return idOf(this.told['id']);
  }

  override toJSON(): object {
    return this.told;
  }
}

/** Snapshot of an object with a name. */
export abstract class NamedHandle extends ToldHandle {
  Name(): string {
    return text(this.told['name']);
  }
}
