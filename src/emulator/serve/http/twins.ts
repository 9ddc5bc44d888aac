import type * as z from 'zod';
import { itemNodes, memberNodes, type SchemaNode, shapesOf } from '../../../base/schema-node.ts';
import { PERMISSIONS_FORMAT } from '../../api/fields.ts';
import type { Operation } from '../../api/operation.ts';
import { schemaNode } from '../../api/schema-node.ts';

/** The last version whose answers have numbers, with the whole set in a twin beside. */
const NEWEST_WITH_TWINS = 7;
/** Numbers of those versions never grew beyond so many bits. */
const OLD_BITS = 0x7fff_ffffn;

/** What answers have permissions in them; null for one that has none. */
const nodes = new WeakMap<z.ZodType, SchemaNode | null>();

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
  return root === null ? body : spelled(body, [root], root);
}

function rootOf(schema: z.ZodType): SchemaNode | null {
  const root = schemaNode(schema, 'output');
  return JSON.stringify(root).includes(`"format":"${PERMISSIONS_FORMAT}"`) ? root : null;
}

/** `at` is what the value may be. */
function spelled(value: unknown, at: readonly SchemaNode[], root: SchemaNode): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shapes = at.flatMap((node) => shapesOf(node, root));
  if (Array.isArray(value)) {
    const items = itemNodes(shapes);
    return value.map((item) => spelled(item, items, root));
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const below = memberNodes(shapes, name);
      if (typeof inner === 'string' && below.some((node) => isPermissions(node, root))) {
        return [
          [name, Number(BigInt(inner) & OLD_BITS)],
          [`${name}_new`, inner],
        ];
      }
      return [[name, spelled(inner, below, root)]];
    }),
  );
}

function isPermissions(node: SchemaNode, root: SchemaNode): boolean {
  return shapesOf(node, root).some(({ format }) => format === PERMISSIONS_FORMAT);
}
