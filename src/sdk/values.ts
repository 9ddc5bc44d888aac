/** An id as an argument; a number is not accepted, because it cannot hold every id. */
export type Id = bigint | string;

const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Returns an id or a count of the SDK's `uint64` type. Takes a bigint or its decimal text, because a number cannot hold
 * every value. Throws TypeError for another type or text, and RangeError outside 0 … 2^64-1; both name the field.
 */
export function uint64(field: string, value: Id): bigint {
  const isDecimal = typeof value === 'string' && /^\d{1,20}$/.test(value);
  if (typeof value !== 'bigint' && !isDecimal) {
    throw new TypeError(`${field}: must be a bigint or a decimal string`);
  }
  const id = BigInt(value);
  if (id < 0n || id > MAX_UINT64) throw new RangeError(`${field}: must be from 0 to 2^64-1`);
  return id;
}

/** Returns a text, or undefined for a field that may be unset. Throws TypeError that names the field. */
export function optionalText(field: string, value: string | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new TypeError(`${field}: must be a string, or undefined to unset it`);
}

/** Value of an enumeration. Throws RangeError that names the field and the values. */
export function oneOf<T extends number>(field: string, value: T, values: { readonly [name: string]: T }): T {
  if (Object.values(values).includes(value)) return value;
  const names = Object.entries(values).map(([name, number]) => `${name} (${number})`);
  throw new RangeError(`${field}: must be one of ${names.join(', ')}`);
}

/** Name of a value in its enumeration. Throws as {@link oneOf} does. */
export function nameOf<T extends number>(
  field: string,
  value: T,
  values: { readonly [name: string]: T },
): string {
  return nameIn(values, oneOf(field, value, values));
}

/** Returns a boolean. Throws TypeError that names the argument. */
export function flag(field: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${field}: must be a boolean`);
}

/** {@link oneOf}, or undefined. */
export function optionalEnum<T extends number>(
  field: string,
  value: T | undefined,
  values: { readonly [name: string]: T },
): T | undefined {
  return value === undefined ? undefined : oneOf(field, value, values);
}

/**
 * Returns a function that is called later. Throws TypeError that names the argument now, instead of at the later call.
 */
export function callable<T>(field: string, value: T): T {
  if (typeof value === 'function') return value;
  throw new TypeError(`${field}: must be a function`);
}

/** {@link callable}, or undefined. */
export function optionalCallable<T>(field: string, value: T | undefined): T | undefined {
  return value === undefined ? undefined : callable(field, value);
}

/**
 * Returns an object of one of our classes, which may be null. Throws TypeError that names the argument and the class.
 */
export function instance<T>(field: string, value: T, expected: new () => T): T {
  if (value instanceof expected) return value;
  const { name } = expected;
  throw new TypeError(`${field}: must be an ${name}; make one with new ${name}()`);
}

/** Text. Throws TypeError that names the argument. */
export function text(field: string, value: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${field}: must be a string`);
}

/** Name of a value in an enumeration; `unknown` for any other value. */
export function nameIn(values: { readonly [name: string]: number }, value: number): string {
  return Object.entries(values).find(([, one]) => one === value)?.[0] ?? 'unknown';
}
