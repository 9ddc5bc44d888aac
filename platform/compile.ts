import type * as z from 'zod';

/** What {@link compile} gives for a value that does not have the shape, or of which it cannot say. */
export const REJECTED: unique symbol = Symbol('rejected');

/** Gives the value as its schema would give it out, or {@link REJECTED}. */
export type Check = (value: unknown) => unknown;

/** What a transformation of the value alone is given besides. */
const NOTHING_MORE = { value: undefined, issues: [] };

type Def = z.core.$ZodTypes['_zod']['def'];
type Part = z.core.$ZodType;

/**
 * A check made once from a declared shape, for the values that come in all the time: it walks nothing but what the shape
 * names, and allocates nothing but what it gives out. It accepts what the schema accepts, as the schema gives it out; what
 * it rejects is for the schema to judge and to put into words. A part that it does not know it leaves to zod.
 */
export function compile(schema: Part): Check {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const check = kindOf(def);
  if (check === undefined) return byZod(schema);
  const more = (def.checks ?? []).map((one) => compileCheck(one));
  if (more.length === 0) return check;
  if (more.includes(undefined)) return byZod(schema);
  const tests = more as ((value: unknown) => boolean)[];
  return (value) => {
    const checked = check(value);
    if (checked === REJECTED) return REJECTED;
    for (const test of tests) if (!test(checked)) return REJECTED;
    return checked;
  };
}

function byZod(schema: Part): Check {
  return (value) => {
    const payload = schema._zod.run({ value, issues: [] }, { async: false });
    return payload instanceof Promise || payload.issues.length > 0 ? REJECTED : payload.value;
  };
}

function kindOf(def: Def): Check | undefined {
  switch (def.type) {
    case 'string':
      return stringCheck(def);
    case 'number':
      return 'format' in def && def.format !== 'safeint' ? undefined : numberCheck('format' in def);
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : REJECTED);
    case 'null':
      return (value) => (value === null ? null : REJECTED);
    case 'unknown':
      return (value) => value;
    case 'literal': {
      const values = new Set<unknown>(def.values);
      return (value) => (values.has(value) ? value : REJECTED);
    }
    case 'enum': {
      const values = new Set<unknown>(Object.values(def.entries));
      return (value) => (values.has(value) ? value : REJECTED);
    }
    case 'optional': {
      // One that makes something of nothing is asked first.
      if (def.innerType._zod.optin !== undefined) return undefined;
      const inner = compile(def.innerType);
      return (value) => (value === undefined ? undefined : inner(value));
    }
    case 'default': {
      const inner = compile(def.innerType);
      return (value) => {
        const checked = value === undefined ? undefined : inner(value);
        // Read each time: of a list it is a new one.
        return checked === undefined ? def.defaultValue : checked;
      };
    }
    case 'prefault': {
      const inner = compile(def.innerType);
      return (value) => inner(value === undefined ? def.defaultValue : value);
    }
    case 'pipe':
      return pipeCheck(def);
    case 'transform': {
      const { transform } = def;
      // One that takes more than the value has something to say to the schema.
      return transform.length > 1 ? undefined : (value) => transform(value, NOTHING_MORE);
    }
    case 'custom': {
      const { fn } = def as { readonly fn: (value: unknown) => unknown };
      return (value) => (fn(value) ? value : REJECTED);
    }
    case 'nullable': {
      const inner = compile(def.innerType);
      return (value) => (value === null ? null : inner(value));
    }
    case 'array':
      return arrayCheck(compile(def.element));
    case 'tuple':
      return def.rest === null ? tupleCheck(def.items.map((item) => compile(item))) : undefined;
    case 'object':
      return objectCheck(def);
    default:
      return undefined;
  }
}

type StringDef = Extract<Def, { readonly type: 'string' }>;

/** A format is a check of its own, which the schema knows; of these a pattern is all there is to it. */
function stringCheck(def: StringDef): Check | undefined {
  if (!('format' in def)) return (value) => (typeof value === 'string' ? value : REJECTED);
  const { format, pattern } = def as { readonly format?: string; readonly pattern?: RegExp };
  if (format !== 'datetime' || pattern === undefined) return undefined;
  const matches = matcher(pattern);
  return (value) => (typeof value === 'string' && matches(value) ? value : REJECTED);
}

function matcher(pattern: RegExp): (value: unknown) => boolean {
  return (value) => {
    // A pattern that remembers where it was begins anew.
    pattern.lastIndex = 0;
    return pattern.test(value as string);
  };
}

/** One that is also written the other way has a way of its own. */
function pipeCheck(def: z.core.$ZodPipeDef): Check | undefined {
  if ('transform' in def) return undefined;
  const first = compile(def.in);
  const second = compile(def.out);
  return (value) => {
    const checked = first(value);
    return checked === REJECTED ? REJECTED : second(checked);
  };
}

function numberCheck(whole: boolean): Check {
  return whole
    ? (value) => (Number.isSafeInteger(value) ? value : REJECTED)
    : (value) => (Number.isFinite(value) ? value : REJECTED);
}

function arrayCheck(element: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return REJECTED;
    const out: unknown[] = [];
    for (const item of value as readonly unknown[]) {
      const checked = element(item);
      if (checked === REJECTED) return REJECTED;
      out.push(checked);
    }
    return out;
  };
}

function tupleCheck(items: readonly Check[]): Check {
  const all = arrayCheck((value) => value);
  return (value) => {
    const out = all(value);
    if (out === REJECTED || (out as unknown[]).length !== items.length) return REJECTED;
    for (const [n, item] of items.entries()) {
      const checked = item((out as unknown[])[n]);
      if (checked === REJECTED) return REJECTED;
      (out as unknown[])[n] = checked;
    }
    return out;
  };
}

/** Keys that the shape does not name are left out or, in a strict one, refused; one that says more of them is left to zod. */
function objectCheck({ shape, catchall }: z.core.$ZodObjectDef): Check | undefined {
  const strict = (catchall as z.core.$ZodTypes | undefined)?._zod.def.type === 'never';
  if (catchall !== undefined && !strict) return undefined;
  const members = Object.entries(shape).map(([key, part]) => ({ key, check: compile(part) }));
  const known = new Set(Object.keys(shape));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return REJECTED;
    const given = value as { readonly [key: string]: unknown };
    if (strict) for (const key in given) if (!known.has(key)) return REJECTED;
    const out: { [key: string]: unknown } = {};
    for (const { key, check } of members) {
      const member = Object.hasOwn(given, key) ? given[key] : undefined;
      const checked = check(member);
      if (checked === REJECTED) return REJECTED;
      if (checked !== undefined) out[key] = checked;
    }
    return out;
  };
}

/** Undefined for one that only the schema can make. */
function compileCheck(check: z.core.$ZodCheck<never>): ((value: unknown) => boolean) | undefined {
  const def = check._zod.def as KnownCheck;
  switch (def.check) {
    case 'meta':
      return () => true;
    case 'min_length':
      return (value) => lengthOf(value) >= def.minimum;
    case 'max_length':
      // A text has no more characters than UTF-16 units.
      return (value) => (value as string).length <= def.maximum || lengthOf(value) <= def.maximum;
    case 'greater_than':
    case 'less_than': {
      const { check: kind, inclusive } = def;
      const bound = Number(def.value);
      if (kind === 'less_than') return (value) => (value as number) < bound || (inclusive && value === bound);
      return (value) => (value as number) > bound || (inclusive && value === bound);
    }
    case 'string_format':
      return def.format === 'regex' && def.pattern !== undefined ? matcher(def.pattern) : undefined;
    case 'custom': {
      const { fn, when } = def;
      return fn && !when ? (value) => Boolean(fn(value)) : undefined;
    }
    default:
      return undefined;
  }
}

/** Of a text in characters, as zod counts them; of a list in elements. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' ? Array.from(value).length : (value as readonly unknown[]).length;
}

/** The checks of zod that are compiled, as its documentation for library authors has them. */
type KnownCheck =
  | { readonly check: 'meta' }
  | { readonly check: 'min_length'; readonly minimum: number }
  | { readonly check: 'max_length'; readonly maximum: number }
  | { readonly check: 'greater_than' | 'less_than'; readonly value: unknown; readonly inclusive: boolean }
  | { readonly check: 'string_format'; readonly format: string; readonly pattern?: RegExp }
  | { readonly check: 'custom'; readonly fn?: (value: unknown) => unknown; readonly when?: unknown };
