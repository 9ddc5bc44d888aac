/** One leaf of a value for the table. */
export interface Leaf {
  /** Path of keys with dots between, such as `args.activity.state`. */
  readonly path: string;
  readonly value: unknown;
}

/** Maximum number of leaves of a table. */
export const MAX_LEAVES = 2000;

/** Leaves of a value in their order, at most {@link MAX_LEAVES}. An empty object or list is a leaf. */
export function leavesOf(value: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  // Without recursion, because a recorded file may be as deep as it likes.
  const waiting: Leaf[] = [{ path: '', value }];
  while (leaves.length < MAX_LEAVES) {
    const next = waiting.pop();
    if (next === undefined) break;
    const members = typeof next.value === 'object' && next.value !== null ? Object.entries(next.value) : [];
    if (members.length === 0) leaves.push(next);
    for (const [key, member] of members.reverse().slice(-MAX_LEAVES))
      waiting.push({ path: next.path === '' ? key : `${next.path}.${key}`, value: member });
  }
  return leaves;
}
