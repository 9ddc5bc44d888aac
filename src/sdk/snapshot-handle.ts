import { Printed } from './printed.ts';
import { idOf, type Raw, text } from './raw.ts';

/** Snapshot of an object with an id. */
export abstract class SnapshotHandle extends Printed {
  protected readonly snapshot: Raw;

  constructor(snapshot: Raw) {
    super();
    this.snapshot = snapshot;
  }

  Id(): bigint {
    return idOf(this.snapshot['id']);
  }

  override toJSON(): object {
    return this.snapshot;
  }
}

/** Snapshot of an object with a name. */
export abstract class NamedHandle extends SnapshotHandle {
  Name(): string {
    return text(this.snapshot['name']);
  }
}
