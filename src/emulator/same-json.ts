/**
 * Whether two values are written as the same JSON, in whatever order their keys are: a key without a value is as good as
 * none. Much cheaper than `isDeepStrictEqual`, which looks at prototypes, too.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((value, i) => isSameJson(value, b[i]));
  }
  return isWithin(a as Members, b as Members) && isWithin(b as Members, a as Members);
}

type Members = { readonly [key: string]: unknown };

function isWithin(part: Members, whole: Members): boolean {
  for (const key in part) {
    const value = part[key];
    if (value === undefined || value === whole[key]) continue;
    if (!Object.hasOwn(whole, key) || !isSameJson(value, whole[key])) return false;
  }
  return true;
}
