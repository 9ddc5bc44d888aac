import { Printed } from './printed.ts';
import { idOf, text } from './raw.ts';
import type { Raw } from './service.ts';

/** Something as it was told, by its id. */
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

/** One that has a name. */
export abstract class NamedHandle extends ToldHandle {
  Name(): string {
    return text(this.told['name']);
  }
}
