type Values = { readonly [key: string]: unknown };

/**
 * Whether two activities show the same; JSON has no undefined, which counts as missing. Times do not count: an app that
 * repeats its presence with a new start shows nothing new.
 */
export function isSameActivity(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [one, other] = [a as Values, b as Values];
  // Each update of an app is compared, so no lists of keys are made.
  for (const key in one) if (key !== 'timestamps' && !isSameActivity(one[key], other[key])) return false;
  for (const key in other)
    if (key !== 'timestamps' && one[key] === undefined && other[key] !== undefined) return false;
  return true;
}
