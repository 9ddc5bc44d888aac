import * as z from 'zod';

/** What came in a query or a form: every text of each name, in its order. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** Reads `a=1&a=2&b=3`. */
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
 * The object that texts stand for by the schema that will check it: numbers and truth values where it wants some, and a list
 * where it wants one, whose items are repeated names. What stands for nothing of that kind stays a text, to be refused there.
 */
export function objectOf(schema: z.ZodType, texts: Texts): Record<string, unknown> {
  const wanted = propertiesOf(schema);
  return Object.fromEntries(
    [...texts].map(([name, given]) => {
      const node = wanted.get(name) ?? {};
      const list = parts(node).find(({ type }) => [type].flat().includes('array'));
      if (list !== undefined) return [name, given.map((text) => oneOf(list.items ?? {}, text))];
      return [name, given.length === 1 ? oneOf(node, given[0] ?? '') : given];
    }),
  );
}

/** As much of JSON Schema as is looked at. */
interface Node {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

const known = new WeakMap<z.ZodType, ReadonlyMap<string, Node>>();

function propertiesOf(schema: z.ZodType): ReadonlyMap<string, Node> {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const node = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node;
  const made = new Map(parts(node).flatMap(({ properties }) => Object.entries(properties ?? {})));
  known.set(schema, made);
  return made;
}

/** A schema, or each of those that it may be. */
function parts(node: Node): readonly Node[] {
  return node.anyOf?.flatMap(parts) ?? [node];
}

function oneOf(node: Node, text: string): unknown {
  const kinds = new Set(parts(node).flatMap(kindsOf));
  if (kinds.has('string')) return text;
  if (kinds.has('number') && /^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return Number(text);
  if (kinds.has('boolean')) {
    if (['true', 'True', '1'].includes(text)) return true;
    if (['false', 'False', '0'].includes(text)) return false;
  }
  return text;
}

function kindsOf({ type, const: only, enum: some }: Node): string[] {
  const values = some ?? (only === undefined ? [] : [only]);
  const types = [type ?? ''].flat().map((one) => (one === 'integer' ? 'number' : one));
  return [...values.map((value) => typeof value), ...types];
}
