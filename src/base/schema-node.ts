/** The part of JSON Schema that this file reads. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly uniqueItems?: boolean;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
}

/** A node and every shape it may have, with references followed; `root` has the definitions. */
export function shapesOf(node: SchemaNode, root: SchemaNode): readonly SchemaNode[] {
  const target = node.$ref === undefined ? node : referenced(node.$ref, root);
  if (target === undefined) return [];
  const inner = [...(target.anyOf ?? []), ...(target.oneOf ?? []), ...(target.allOf ?? [])];
  return [target, ...inner.flatMap((one) => shapesOf(one, root))];
}

function referenced(ref: string, root: SchemaNode): SchemaNode | undefined {
  return ref === '#' ? root : root.$defs?.[ref.split('/').at(-1) ?? ''];
}

/** Shapes of a member of an object; a map has members of any name. */
export function memberNodes(shapes: readonly SchemaNode[], name: string): readonly SchemaNode[] {
  return shapes.flatMap(({ properties, additionalProperties }) => {
    if (properties !== undefined && Object.hasOwn(properties, name)) return [properties[name] as SchemaNode];
    return typeof additionalProperties === 'object' ? [additionalProperties] : [];
  });
}

/** Shapes of an item of a list, at any index. */
export function itemNodes(shapes: readonly SchemaNode[]): readonly SchemaNode[] {
  return shapes.flatMap(({ items, prefixItems = [] }) => [
    ...(items === undefined ? [] : [items]),
    ...prefixItems,
  ]);
}
