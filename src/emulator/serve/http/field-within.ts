/**
 * The first of `fields` that a value has and that asks for something; undefined when it has none of them. `a.b` is the
 * field `b` of `a`, and `[]` means each item of a list.
 */
export function fieldWithin(fields: readonly string[], value: unknown): string | undefined {
  return fields.find((field) => has(value, field.split('.')));
}

function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return !isDefault(value);
  if (name === '[]') return Array.isArray(value) && value.some((item) => has(item, rest));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return has((value as Readonly<Record<string, unknown>>)[name], rest);
}

/** Values with which libraries send a field that their user left out; the last ones are those of forms and queries. */
const DEFAULTS: readonly unknown[] = [null, false, 0, '', '0', 'false', 'False'];

function isDefault(value: unknown): boolean {
  return DEFAULTS.includes(value) || (Array.isArray(value) && value.length === 0);
}
