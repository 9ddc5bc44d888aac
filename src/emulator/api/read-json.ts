import type * as z from 'zod';
import { mayHoldLarge, parseLargeAsText } from '../../base/exact-json.ts';
import { itemNodes, memberNodes, type SchemaNode, shapesOf } from '../../base/schema-node.ts';
import { NONCE_FORMAT, SNOWFLAKE_FORMAT } from './fields.ts';
import { schemaNode } from './schema-node.ts';

/**
 * Maximum nesting depth, more than any documented body has. It bounds every later recursion, which therefore cannot
 * exhaust the stack.
 */
const MAX_DEPTH = 64;
/** Formats of 64-bit integers, which are read as text: ids, and the nonce of a message. */
const EXACT: readonly (string | undefined)[] = [SNOWFLAKE_FORMAT, NONCE_FORMAT];

/**
 * Parses JSON that a schema will check. Where the schema has an id, the digits of a number are preserved: libraries of
 * languages with exact integers, such as discord.py, write ids as numbers, which a double rounds.
 * @throws SyntaxError for text that is not JSON or is nested too deep.
 */
export function readJson(text: string, schema: z.ZodType): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(text)) throw new SyntaxError(`JSON is nested deeper than ${MAX_DEPTH} levels`);
  if (!mayHoldLarge(text)) return value;
  const root = schemaNode(schema, 'input');
  return withExactIds(value, parseLargeAsText(text), [root], root);
}

/**
 * Restores the digits of large numbers where the schema has an id. `exact` is the same value with its large numbers as
 * texts; `at` are the schema nodes for the value's position.
 */
function withExactIds(value: unknown, exact: unknown, at: readonly SchemaNode[], root: SchemaNode): unknown {
  const shapes = at.flatMap((node) => shapesOf(node, root));
  if (typeof value === 'number') {
    const isExact = typeof exact === 'string' && shapes.some(({ format }) => EXACT.includes(format));
    return isExact && isInt64(exact) ? exact : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = itemNodes(shapes);
    return value.map((item, index) => withExactIds(item, (exact as readonly unknown[])[index], items, root));
  }
  const fields = exact as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      withExactIds(inner, fields[name], memberNodes(shapes, name), root),
    ]),
  );
}

function isInt64(digits: string): boolean {
  return digits.length <= 20 && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
}

const STRING_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g;

/** Whether a JSON text nests deeper than {@link MAX_DEPTH}. */
function isTooDeep(json: string): boolean {
  if (!hasManyBrackets(json)) return false;
  let depth = 0;
  for (const [token] of json.matchAll(STRING_OR_BRACKET)) {
    if (token === '{' || token === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (token === '}' || token === ']') depth -= 1;
  }
  return false;
}

function hasManyBrackets(json: string): boolean {
  let brackets = 0;
  for (const bracket of ['{', '[']) {
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) {
      brackets += 1;
      if (brackets > MAX_DEPTH) return true;
    }
  }
  return false;
}
