/** Nothing that a service says of itself nests deeper. */
const MOST = 100;

/**
 * Whether what was read from JSON nests so deep that code which calls itself, such as `JSON.stringify`, may fail on it. Costs as
 * much as there are values, and calls nothing but itself in turn.
 */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MOST; depth += 1) {
    const next: unknown[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one))
          if (typeof inner === 'object' && inner !== null) next.push(inner);
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
