import { posix } from 'node:path';
import { importsOf } from './source-text.ts';

/** What a file imports of the others, by path; type imports and those by `import()` count. */
export function importGraph(
  files: readonly (readonly [path: string, text: string])[],
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(files.map(([path]) => path));
  return new Map(
    files.map(([path, text]) => [
      path,
      importsOf(text)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
        .filter((target) => known.has(target)),
    ]),
  );
}

/** Groups of files that import each other in a circle, however long, each group sorted. */
export function importCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...graph.keys()].map((from) => [from, reachable(from, graph)]));
  const grouped = new Set<string>();
  const groups: string[][] = [];
  for (const [from, others] of reached) {
    if (grouped.has(from) || !others.has(from)) continue;
    const group = [...others].filter((to) => reached.get(to)?.has(from)).sort();
    for (const file of group) grouped.add(file);
    groups.push(group);
  }
  return groups;
}

/** Every file that `from` leads to; itself only by a circle. */
function reachable(from: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>();
  const open = [...(graph.get(from) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return seen;
}
