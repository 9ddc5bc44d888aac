/**
 * Whether a value contains another value: objects may have further members at any depth, also those in lists; lists have
 * the same length and order.
 */
export function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(value, wanted);
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((member, index) => holds(value[index], member))
    );
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([key, member]) => holds(Reflect.get(value, key), member));
}
