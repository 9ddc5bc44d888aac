/** By this name Node's console asks what to print. */
const PRINTED = Symbol.for('nodejs.util.inspect.custom');

/** Something that is printed, and becomes JSON, as what it holds: ids as their decimal texts, and no secret. */
export abstract class Printed {
  /** For `JSON.stringify`, and for whoever prints it. */
  abstract toJSON(): unknown;

  /** What Node's console prints. */
  [PRINTED](): unknown {
    return this.toJSON();
  }
}
