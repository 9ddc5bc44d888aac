import { posix } from 'node:path';
import { importsOf } from './source-text.ts';

/**
 * Folders that import each other in a circle, each circle sorted; one that holds another and that other are one room.
 * `files` are paths from the root with their texts.
 */
export function circles(files: readonly (readonly [path: string, text: string])[]): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const from = posix.dirname(path);
    for (const { specifier } of importsOf(text)) {
      const to = posix.dirname(posix.join(from, specifier));
      if (!specifier.startsWith('.') || !specifier.endsWith('.ts') || isOneRoom(from, to)) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const reach = new Map([...edges.keys()].map((from) => [from, reachable(from, edges)]));
  const found = [...edges.keys()].map((from) =>
    [...(reach.get(from) ?? [])].filter((to) => reach.get(to)?.has(from)).sort(),
  );
  const distinct = new Map(
    found.filter((circle) => circle.length > 0).map((circle) => [circle.join(), circle]),
  );
  return [...distinct.values()];
}

function isOneRoom(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** Everything that `from` leads to; itself only by a circle. */
function reachable(from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [...(edges.get(from) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(edges.get(next) ?? []));
  }
  return seen;
}
