import type * as z from 'zod';
import { itemNodes, memberNodes, type SchemaNode, shapesOf } from '../../../base/schema-node.ts';
import { schemaNode } from '../../api/schema-node.ts';
import { ownText } from '../../kernel/own-text.ts';

/** Field of a form that contains the whole body, without its files, as JSON. */
export const PAYLOAD_FIELD = 'payload_json';

/** Values of a query or a form by name, in their order. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** Parses `a=1&a=2&b=3`. Each name and value is copied, because a substring would keep the whole source in memory. */
export function pairsOf(text: string): [name: string, value: string][] {
  return [...new URLSearchParams(text)].map(([name, value]) => [ownText(name), ownText(value)]);
}

/** Groups values by name. */
export function textsOf(pairs: Iterable<readonly [name: string, value: string]>): Texts {
  const texts = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = texts.get(name);
    if (known === undefined) texts.set(name, [value]);
    else known.push(value);
  }
  return texts;
}

/**
 * Converts texts to an object for the schema that will check it: numbers and booleans where the schema has them, and
 * lists from repeated names. A text that cannot be converted stays a text, which the schema then refuses.
 */
export function objectOf(schema: z.ZodType, texts: Texts): Record<string, unknown> {
  const root = schemaNode(schema, 'input');
  const wanted = shapesOf(root, root);
  return Object.fromEntries(
    [...texts].map(([name, values]) => {
      const shapes = memberNodes(wanted, name).flatMap((node) => shapesOf(node, root));
      if (shapes.some(({ type }) => [type].flat().includes('array'))) {
        const items = itemNodes(shapes).flatMap((node) => shapesOf(node, root));
        return [name, values.map((text) => oneOf(items, text))];
      }
      return [name, values.length === 1 ? oneOf(shapes, values[0] ?? '') : values];
    }),
  );
}

/**
 * Converts a form to an object. Programs send every field of a form, filled or not, so an empty field counts as omitted,
 * unless the schema accepts an empty text, which clears a value.
 */
export function formOf(schema: z.ZodType, texts: Texts): Record<string, unknown> {
  const value = objectOf(schema, texts);
  const isEmpty = (text: string): boolean => text === '';
  if (![...texts.values()].some((values) => values.some(isEmpty))) return value;
  const root = schemaNode(schema, 'input');
  const wanted = shapesOf(root, root);
  const refused = fieldsOf(schema.safeParse(value).error?.issues ?? []);
  const filled = [...texts].flatMap(([name, values]): [string, readonly string[]][] => {
    if (!refused.has(name) && memberNodes(wanted, name).length > 0) return [[name, values]];
    const rest = values.filter((text) => !isEmpty(text));
    return rest.length === 0 ? [] : [[name, rest]];
  });
  return objectOf(schema, new Map(filled));
}

/** Fields of an object that the schema's issues concern, in any alternative of a union. */
function fieldsOf(issues: readonly z.core.$ZodIssue[]): Set<PropertyKey> {
  return new Set(
    issues.flatMap((issue) => {
      const [name] = issue.path;
      if (name !== undefined) return [name];
      return issue.code === 'invalid_union' ? issue.errors.flatMap((errors) => [...fieldsOf(errors)]) : [];
    }),
  );
}

function oneOf(shapes: readonly SchemaNode[], text: string): unknown {
  const kinds = new Set(shapes.flatMap(kindsOf));
  if (kinds.has('string')) return text;
  if (kinds.has('number') && /^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return Number(text);
  if (kinds.has('boolean')) {
    if (['true', 'True', '1'].includes(text)) return true;
    if (['false', 'False', '0'].includes(text)) return false;
  }
  return text;
}

function kindsOf({ type, const: only, enum: some }: SchemaNode): string[] {
  const values = some ?? (only === undefined ? [] : [only]);
  const types = [type ?? ''].flat().map((one) => (one === 'integer' ? 'number' : one));
  return [...values.map((value) => typeof value), ...types];
}
