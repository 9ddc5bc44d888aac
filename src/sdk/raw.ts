/** An object in the service's format. */
export type Raw = Readonly<Record<string, unknown>>;

/** Returns a member of an object from the service or the chat client; undefined for a value that is not an object. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Returns the value if it is a text, else ''. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const MAX_UINT64 = 2n ** 64n - 1n;

/** Returns the value if it is an id, else 0. */
export function idOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return 0n;
  const id = BigInt(value);
  return id <= MAX_UINT64 ? id : 0n;
}

/** Returns the value if it is a finite number, else 0. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Returns the value if it is in the enumeration, else undefined. */
export function oneIn<T extends number>(
  values: { readonly [name: string]: T },
  value: unknown,
): T | undefined {
  return Object.values(values).find((one) => one === value);
}

/** The objects in a list. */
export function objectsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

/** Returns a copy of texts by name, such as metadata. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** Returns the time in the upper bits of an id, in milliseconds since the Unix epoch. */
export function timeOf(id: bigint): number {
  const EPOCH_MS = 1_420_070_400_000;
  return Number(id >> 22n) + EPOCH_MS;
}
