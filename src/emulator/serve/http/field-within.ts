/**
 * The first of `fields` that a value has; undefined when it has none of them. `a.b` is the field `b` of `a`, and `[]`
 * means each item of a list.
 */
export function fieldWithin(fields: readonly string[], value: unknown): string | undefined {
  return fields.find((field) => has(value, field.split('.')));
}

function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (name === '[]') return Array.isArray(value) && value.some((item) => has(item, rest));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return has((value as Readonly<Record<string, unknown>>)[name], rest);
}
