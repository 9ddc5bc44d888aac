import { type SchemaNode, shapesOf } from '../../../../src/base/schema-node.ts';
import { SNOWFLAKE_FORMAT } from '../../../../src/emulator/api/fields.ts';

/** Builds a value of a schema around an id. */
export type Around = (id: unknown) => unknown;

/** A value that satisfies a node as far as unions need it to be told apart. */
function sampleOf(node: SchemaNode, root: SchemaNode): unknown {
  const shapes = shapesOf(node, root);
  const [fixed] = shapes.flatMap((one) => [...(one.enum ?? []), ...('const' in one ? [one.const] : [])]);
  if (fixed !== undefined) return fixed;
  const types = new Set(shapes.flatMap(({ type }) => type ?? []));
  if (types.has('string')) return 'x';
  if (types.has('integer') || types.has('number')) return 1;
  if (types.has('boolean')) return true;
  return types.has('array') ? [] : types.has('object') ? {} : null;
}

/** Every place in a schema where an id may stand. */
export function* placesOf(
  root: SchemaNode,
  node = root,
  around: Around = (id) => id,
  place: readonly string[] = [],
): Generator<readonly [place: string, Around]> {
  for (const shape of shapesOf(node, root)) {
    // Components within components have the same ids, so three levels have all.
    if (place.length > 12) return;
    if (shape.format === SNOWFLAKE_FORMAT) yield [place.join('.'), around];
    for (const [name, inner] of Object.entries(shape.properties ?? {})) {
      const beside = Object.entries(shape.properties ?? {}).filter(([, one]) => isFixed(one, root));
      const fixed = Object.fromEntries(beside.map(([other, one]) => [other, sampleOf(one, root)]));
      yield* placesOf(root, inner, (id) => around({ ...fixed, [name]: id }), [...place, name]);
    }
    if (shape.items !== undefined) yield* placesOf(root, shape.items, (id) => around([id]), [...place, '[]']);
  }
}

function isFixed(node: SchemaNode, root: SchemaNode): boolean {
  return shapesOf(node, root).some((one) => one.enum !== undefined || 'const' in one);
}

/** A valid body with what stands around an id in its place, as far as both have the same members. */
export function merged(valid: unknown, other: unknown): unknown {
  if (Array.isArray(valid) && Array.isArray(other)) {
    return valid.length === 0 ? other : [merged(valid[0], other[0]), ...valid.slice(1)];
  }
  if (typeof valid !== 'object' || valid === null || typeof other !== 'object' || other === null)
    return other;
  const entries = Object.entries(other).map(([name, value]) => [
    name,
    Object.hasOwn(valid, name) ? merged((valid as Readonly<Record<string, unknown>>)[name], value) : value,
  ]);
  return { ...valid, ...Object.fromEntries(entries) };
}
