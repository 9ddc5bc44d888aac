/** Method name that Node's console calls. */
const PRINTED = Symbol.for('nodejs.util.inspect.custom');

/** Base class for printing and JSON: ids as decimal text, without secrets. */
export abstract class Printed {
  /** For `JSON.stringify`, and for printing. */
  abstract toJSON(): unknown;

  /** Value that Node's console prints. */
  [PRINTED](): unknown {
    return this.toJSON();
  }
}
