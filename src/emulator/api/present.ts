const PLAIN = { enumerable: true, writable: true, configurable: true };

/** The value without its undefined members, at every depth. A loop, because entries of an object are lists. */
export function present<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => present(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const left: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const inner: unknown = value[key as keyof Value];
    if (inner === undefined) continue;
    // An assignment to this name would change the prototype.
    if (key === '__proto__') Object.defineProperty(left, key, { ...PLAIN, value: present(inner) });
    else left[key] = present(inner);
  }
  return left as Value;
}

/** The members of an object that have the names of another's. */
export function picked<Value extends object, Name extends keyof Value>(
  value: Value,
  names: Readonly<Record<Name, unknown>>,
): Pick<Value, Name> {
  return Object.fromEntries((Object.keys(names) as Name[]).map((name) => [name, value[name]])) as Pick<
    Value,
    Name
  >;
}
