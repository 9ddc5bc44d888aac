import * as z from 'zod';
import { PERMISSIONS_FORMAT } from '../api/fields.ts';
import type { Operation } from '../operation.ts';

/** The last version whose answers have numbers, with the whole set in a twin beside. */
const NEWEST_WITH_TWINS = 7;
/** Numbers of those versions never grew beyond so many bits. */
const OLD_BITS = 0x7fff_ffffn;

/** As much of JSON Schema as is looked at. */
interface Node {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
  readonly format?: string;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

/** What answers have permissions in them; null for one that has none. */
const nodes = new WeakMap<z.ZodType, Node | null>();

/** Whether an answer has numbers and twins: where the platform itself would answer as in version 6, too. */
export function hasTwins(version: number | undefined): boolean {
  return version === undefined || version <= NEWEST_WITH_TWINS;
}

/** The body of an answer as older versions spell it: `permissions` a number, and `permissions_new` the text. */
export function withTwins({ answers }: Pick<Operation, 'answers'>, status: number, body: unknown): unknown {
  const schema = answers[status];
  if (schema === undefined || schema === null) return body;
  const known = nodes.get(schema);
  const root = known === undefined ? rootOf(schema) : known;
  nodes.set(schema, root);
  return root === null ? body : spelled(body, [root], root.$defs ?? {});
}

function rootOf(schema: z.ZodType): Node | null {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Node;
  return JSON.stringify(root).includes(`"format":"${PERMISSIONS_FORMAT}"`) ? root : null;
}

/** `at` is what the value may be. */
function spelled(value: unknown, at: readonly Node[], defs: Readonly<Record<string, Node>>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = at.flatMap((node) => partsOf(node, defs));
  if (Array.isArray(value)) {
    const items = parts.flatMap(({ items: inner }) => (inner === undefined ? [] : [inner]));
    return value.map((item) => spelled(item, items, defs));
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const below = parts.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, name) ? [properties[name] as Node] : [],
      );
      if (typeof inner === 'string' && below.some(isPermissions)) {
        return [
          [name, Number(BigInt(inner) & OLD_BITS)],
          [`${name}_new`, inner],
        ];
      }
      return [[name, spelled(inner, below, defs)]];
    }),
  );
}

function isPermissions(node: Node): boolean {
  return node.format === PERMISSIONS_FORMAT || (node.anyOf?.some(isPermissions) ?? false);
}

function partsOf(node: Node, defs: Readonly<Record<string, Node>>): readonly Node[] {
  const target = node.$ref === undefined ? node : defs[node.$ref.split('/').at(-1) ?? ''];
  if (target === undefined) return [];
  return target.anyOf?.flatMap((one) => partsOf(one, defs)) ?? [target];
}
