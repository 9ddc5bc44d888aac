/** A JSON Schema 2020-12, as far as this project prints them. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

type Check = (wanted: never, value: unknown, at: string, schema: Exclude<JsonSchema, boolean>) => string[];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const codePoints = (text: string): number => Array.from(text).length;
const unless = (right: boolean, at: string, problem: string): string[] =>
  right ? [] : [`${at}: ${problem}`];
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const types: { readonly [name: string]: (value: unknown) => boolean } = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isRecord,
};

/** One function a keyword, as the specification words it; a keyword says nothing of values of other types. */
const keywords: { readonly [keyword: string]: Check } = {
  type: (name: string | readonly string[], value, at) =>
    unless(
      [name].flat().some((one) => types[one]?.(value) ?? false),
      at,
      `is no ${[name].flat().join(' or ')}`,
    ),
  const: (wanted: unknown, value, at) => unless(same(wanted, value), at, `is not ${JSON.stringify(wanted)}`),
  enum: (list: readonly unknown[], value, at) =>
    unless(
      list.some((one) => same(one, value)),
      at,
      `is none of ${JSON.stringify(list)}`,
    ),
  anyOf: (list: readonly JsonSchema[], value, at) =>
    unless(
      list.some((one) => problemsOf(one, value).length === 0),
      at,
      'fits none of the shapes',
    ),
  minimum: (min: number, value, at) =>
    unless(typeof value !== 'number' || value >= min, at, `is below ${min}`),
  maximum: (max: number, value, at) =>
    unless(typeof value !== 'number' || value <= max, at, `is above ${max}`),
  minLength: (min: number, value, at) =>
    unless(typeof value !== 'string' || codePoints(value) >= min, at, `is shorter than ${min}`),
  maxLength: (max: number, value, at) =>
    unless(typeof value !== 'string' || codePoints(value) <= max, at, `is longer than ${max}`),
  pattern: (source: string, value, at) =>
    unless(typeof value !== 'string' || new RegExp(source, 'u').test(value), at, `does not match ${source}`),
  format: (name: string, value, at) => {
    if (name !== 'uri') throw new Error(`${at}: unknown format ${name}`);
    return unless(typeof value !== 'string' || URL.canParse(value), at, 'is no uri');
  },
  minItems: (min: number, value, at) =>
    unless(!Array.isArray(value) || value.length >= min, at, `has fewer than ${min} items`),
  maxItems: (max: number, value, at) =>
    unless(!Array.isArray(value) || value.length <= max, at, `has more than ${max} items`),
  prefixItems: (schemas: readonly JsonSchema[], value, at) =>
    Array.isArray(value)
      ? schemas.flatMap((one, n) => (n < value.length ? problemsOf(one, value[n], `${at}[${n}]`) : []))
      : [],
  items: (each: JsonSchema, value, at, { prefixItems = [] }) =>
    Array.isArray(value)
      ? value.flatMap((item, n) =>
          n < (prefixItems as unknown[]).length ? [] : problemsOf(each, item, `${at}[${n}]`),
        )
      : [],
  required: (names: readonly string[], value, at) =>
    isRecord(value)
      ? names.flatMap((name) => unless(Object.hasOwn(value, name), `${at}.${name}`, 'is missing'))
      : [],
  properties: (schemas: Readonly<Record<string, JsonSchema>>, value, at) =>
    Object.entries(schemas).flatMap(([name, one]) =>
      isRecord(value) && Object.hasOwn(value, name) ? problemsOf(one, value[name], `${at}.${name}`) : [],
    ),
  propertyNames: (each: JsonSchema, value, at) =>
    isRecord(value) ? Object.keys(value).flatMap((name) => problemsOf(each, name, `${at}.${name}`)) : [],
  additionalProperties: (each: JsonSchema, value, at, { properties = {} }) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([name, one]) =>
          Object.hasOwn(properties as object, name) ? [] : problemsOf(each, one, `${at}.${name}`),
        )
      : [],
};

/**
 * Where a value breaks a schema; empty when it is valid. Knows the keywords of 2020-12 that are listed above and
 * throws on any other, so that a document with a word the standard does not have is seen.
 */
export function problemsOf(schema: JsonSchema, value: unknown, at = ''): string[] {
  if (schema === true) return [];
  if (schema === false) return [`${at}: nothing is allowed here`];
  return Object.entries(schema).flatMap(([keyword, wanted]) => {
    const check = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    if (check === undefined) throw new Error(`${at}: unknown keyword ${keyword}`);
    return check(wanted as never, value, at, schema);
  });
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0;

/** What the meta-schema of 2020-12 asks of each keyword that is not a schema itself. */
const wellFormed: { readonly [keyword: string]: (value: unknown) => boolean } = {
  type: (value) => [value].flat().every((name) => Object.hasOwn(types, String(name))),
  const: () => true,
  enum: isList,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  pattern: (value) => new RegExp(String(value), 'u') instanceof RegExp,
  format: (value) => typeof value === 'string',
  required: (value) => Array.isArray(value) && new Set(value).size === value.length,
};

/** Where a schema is none of 2020-12, as far as the keywords above go; empty when all of it is one. */
export function malformed(schema: unknown, at = ''): string[] {
  if (typeof schema === 'boolean') return [];
  if (!isRecord(schema)) return [`${at}: is no schema`];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const here = `${at}/${keyword}`;
    const check = Object.hasOwn(wellFormed, keyword) ? wellFormed[keyword] : undefined;
    if (check) return unless(check(value), here, 'is malformed');
    switch (keyword) {
      case 'anyOf':
      case 'prefixItems':
        return isList(value)
          ? value.flatMap((one, n) => malformed(one, `${here}/${n}`))
          : [`${here}: is no list of schemas`];
      case 'items':
      case 'propertyNames':
      case 'additionalProperties':
        return malformed(value, here);
      case 'properties':
        return isRecord(value)
          ? Object.entries(value).flatMap(([name, one]) => malformed(one, `${here}/${name}`))
          : [`${here}: is no table of schemas`];
      default:
        return [`${here}: unknown keyword`];
    }
  });
}
