import { formatValue } from './format.ts';

/**
 * Subset of JSON Schema (2020-12) for shapes, so that the vectors need no code of ours: any validator reads these
 * documents. This validator has 6 kB; ajv would add 190 kB to a suite without dependencies, and compiles code.
 */
export interface Schema {
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
}

/** First deviation of a value from its schema. `path` is a JSON pointer, empty for the whole value. */
export interface Violation {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** The first violation of `schema` by `value`, or undefined. `root` resolves `#/$defs/…`. */
export function check(
  schema: Schema,
  value: unknown,
  root: Schema = schema,
  path = '',
): Violation | undefined {
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    if (target === undefined) throw new Error(`unknown $ref ${schema.$ref}`);
    const violation = check(target, value, root, path);
    if (violation !== undefined) return violation;
  }
  const wrong = (expected: string): Violation => ({ path, expected, actual: formatValue(value, 80) });
  if (schema.type !== undefined) {
    const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
    if (!types.some((type) => isOfType(type, value))) return wrong(types.join(' or '));
  }
  if ('const' in schema && !isSame(schema.const, value)) return wrong(formatValue(schema.const));
  if (schema.enum !== undefined && !schema.enum.some((one) => isSame(one, value))) {
    return wrong(`one of ${formatValue(schema.enum)}`);
  }
  if (schema.anyOf !== undefined) {
    const violations = schema.anyOf.map((one) => check(one, value, root, path));
    if (!violations.includes(undefined)) {
      return wrong(violations.map((violation) => violation?.expected).join(', or '));
    }
  }
  if (typeof value === 'string') return checkText(schema, value, wrong);
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) return wrong(`at least ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum) return wrong(`at most ${schema.maximum}`);
    return undefined;
  }
  if (Array.isArray(value)) return checkItems(schema, value, root, path, wrong);
  if (isRecord(value)) return checkProperties(schema, value, root, path);
  return undefined;
}

type Wrong = (expected: string) => Violation;

function checkText(schema: Schema, value: string, wrong: Wrong): Violation | undefined {
  // JSON Schema counts characters, not UTF-16 units.
  const length = Array.from(value).length;
  if (schema.minLength !== undefined && length < schema.minLength) {
    return wrong(`at least ${schema.minLength} characters`);
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    return wrong(`at most ${schema.maxLength} characters`);
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    return wrong(`a string that matches ${schema.pattern}`);
  }
  return undefined;
}

function checkItems(
  schema: Schema,
  value: unknown[],
  root: Schema,
  path: string,
  wrong: Wrong,
): Violation | undefined {
  if (schema.minItems !== undefined && value.length < schema.minItems)
    return wrong(`at least ${schema.minItems} items`);
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    return wrong(`at most ${schema.maxItems} items`);
  if (schema.items === undefined) return undefined;
  for (const [index, item] of value.entries()) {
    const violation = check(schema.items, item, root, `${path}/${index}`);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function checkProperties(
  schema: Schema,
  value: Record<string, unknown>,
  root: Schema,
  path: string,
): Violation | undefined {
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) return { path: `${path}/${key}`, expected: 'a value', actual: 'nothing' };
  }
  for (const [key, item] of Object.entries(value)) {
    const own = schema.properties;
    const property = own !== undefined && Object.hasOwn(own, key) ? own[key] : schema.additionalProperties;
    if (property === false)
      return { path: `${path}/${key}`, expected: 'no such key', actual: formatValue(item, 80) };
    if (typeof property !== 'object') continue;
    const violation = check(property, item, root, `${path}/${key}`);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** A JSON object, not an array and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep equality of two JSON values; the order of keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}
