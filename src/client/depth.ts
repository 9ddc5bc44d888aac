/** Maximum depth of parsed JSON; the data that a service sends about itself is never deeper. */
const MAX_DEPTH = 100;

/**
 * Whether parsed JSON is so deep that recursive code, such as `JSON.stringify`, may fail on it. Takes time linear in
 * the number of values, without recursion.
 */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
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
