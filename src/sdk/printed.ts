/** Method name that Node's console calls. */
const PRINTED = Symbol.for('nodejs.util.inspect.custom');

/** Base class for values that are printed and converted to JSON: ids appear as decimal text, secrets do not appear. */
export abstract class Printed {
  /** Value for `JSON.stringify` and for printing. */
  abstract toJSON(): unknown;

  /** Value that Node's console prints. */
  [PRINTED](): unknown {
    return this.toJSON();
  }
}
