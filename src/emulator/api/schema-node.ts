import * as z from 'zod';
import type { SchemaNode } from '../../base/schema-node.ts';

const known = {
  input: new WeakMap<z.ZodType, SchemaNode>(),
  output: new WeakMap<z.ZodType, SchemaNode>(),
};

/** The JSON Schema of a schema's input or output. The result is cached. */
export function schemaNode(schema: z.ZodType, io: 'input' | 'output'): SchemaNode {
  const found = known[io].get(schema);
  if (found !== undefined) return found;
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as SchemaNode;
  known[io].set(schema, made);
  return made;
}
