/** The value without its undefined members, at every depth. */
export function present<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => present(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, present(inner)])) as Value;
}
