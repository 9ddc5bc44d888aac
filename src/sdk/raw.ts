/** A member of an object that the service or the chat client told; undefined where there is no object. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A text, '' for anything else. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const MAX_UINT64 = 2n ** 64n - 1n;

/** An id, 0 for anything else. */
export function idOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return 0n;
  const id = BigInt(value);
  return id <= MAX_UINT64 ? id : 0n;
}

/** A number, 0 for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** One of an enumeration's values; undefined for anything else. */
export function oneIn<T extends number>(
  values: { readonly [name: string]: T },
  value: unknown,
): T | undefined {
  return Object.values(values).find((one) => one === value);
}

/** What of a list are objects. */
export function objectsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

/** Texts by name, as metadata are: a copy. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** Milliseconds since the Unix epoch, of an id: its age is in its upper bits. */
export function timeOf(id: bigint): number {
  const EPOCH_MS = 1_420_070_400_000;
  return Number(id >> 22n) + EPOCH_MS;
}
