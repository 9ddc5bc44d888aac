/**
 * Whether two activities show the same. Times do not count: an app that repeats its presence with a new start shows
 * nothing new.
 */
export function isSameActivity(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = countedKeys(a);
  return (
    keys.length === countedKeys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameActivity(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

function countedKeys(value: object): string[] {
  return Object.keys(value).filter((key) => key !== 'timestamps');
}
