import { Failure } from '../failure.ts';
import { check, type Schema } from '../schema.ts';
import shapes from '../vectors/shapes.json' with { type: 'json' };

const root: Schema = shapes as Schema;

/** Verifies that a value has the shape `name`; the failure contains the JSON pointer of the deviation. */
export function hasShape(name: keyof typeof shapes.$defs, value: unknown, what: string): void {
  const violation = check({ $ref: `#/$defs/${name}` }, value, root);
  if (violation === undefined) return;
  throw new Failure(`${what}${violation.path}: ${violation.expected}`, violation.actual);
}
