import type * as z from 'zod';
import { itemNodes, memberNodes, type SchemaNode, shapesOf } from '../../../base/schema-node.ts';
import { EncodedList } from '../../api/encoded-list.ts';
import { PERMISSIONS_FORMAT } from '../../api/fields.ts';
import type { Operation } from '../../api/operation.ts';
import { schemaNode } from '../../api/schema-node.ts';

/** Last API version that sends permissions as numbers, together with a text field for the full set. */
const NEWEST_WITH_ALIASES = 7;
/** Bits that fit into the permission numbers of those API versions. */
const OLD_BITS = 0x7fff_ffffn;

/** Schema nodes of replies with permissions; null for a reply without permissions. */
const nodes = new WeakMap<z.ZodType, SchemaNode | null>();

/**
 * Whether replies contain permissions as numbers and in alias fields. Requests without a version do too, because the
 * platform answers them as version 6.
 */
export function hasPermissionAliases(version: number | undefined): boolean {
  return version === undefined || version <= NEWEST_WITH_ALIASES;
}

/** A reply body for older versions: `permissions` as a number, and `permissions_new` as the text. */
export function withPermissionAliases(
  { answers }: Pick<Operation, 'answers'>,
  status: number,
  body: unknown,
): unknown {
  const schema = answers[status];
  if (schema === undefined || schema === null) return body;
  const known = nodes.get(schema);
  const root = known === undefined ? rootOf(schema) : known;
  nodes.set(schema, root);
  if (root === null) return body;
  return spelled(body instanceof EncodedList ? JSON.parse(body.toString()) : body, [root], root);
}

function rootOf(schema: z.ZodType): SchemaNode | null {
  const root = schemaNode(schema, 'output');
  return JSON.stringify(root).includes(`"format":"${PERMISSIONS_FORMAT}"`) ? root : null;
}

/** Converts a value to the older form; `at` contains the schema nodes that describe the value. */
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
