// The picture of the architecture in CONTRIBUTING: the parts of the tree, and what each of them may import, from the data of the
// architecture test, as a diagram that the host of the repository draws (Mermaid). An import that follows from others is left out.
import { PROCESS, PURE, partOf, SEES } from '../test/helpers/architecture.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The part that all others may import, and so no arrow leads to. */
const BASE = 'src/base';

/** Parts that import every other one, so that their arrows would say nothing. */
const seesAll = (part: string): boolean => SEES[part]?.includes('src') === true;

/** What each part may import, by part; entries for single files count as their part. */
function imports(): Graph {
  return new Map(
    Object.entries(SEES).map(([part, entries]) => {
      const named = seesAll(part) ? [] : entries.flatMap((entry) => partOf(entry) ?? []);
      return [part, new Set(named.filter((one) => one !== part && one !== BASE))];
    }),
  );
}

function reachable(graph: Graph, part: string): ReadonlySet<string> {
  const found = new Set(graph.get(part));
  for (const one of found) for (const next of graph.get(one) ?? []) found.add(next);
  return found;
}

/** The same without imports that follow from others. */
function reduced(graph: Graph): Graph {
  const follows = (targets: ReadonlySet<string>, target: string): boolean =>
    [...targets].some((other) => reachable(graph, other).has(target));
  return new Map(
    [...graph].map(([part, targets]) => [
      part,
      new Set([...targets].filter((target) => !follows(targets, target))),
    ]),
  );
}

/** The diagram; parts that know nothing of Node, and parts that read the environment, have a colour. */
export function architecturePicture(): string {
  const graph = reduced(imports());
  const nameOf = (part: string): string => part.replace(/^src\//, '');
  const idOf = (part: string): string => nameOf(part).replaceAll('/', '_');
  const kindOf = (part: string): string =>
    PURE.includes(part) ? ':::pure' : PROCESS.includes(part) ? ':::process' : '';
  const noteOf = (part: string): string =>
    seesAll(part)
      ? '<br><small>imports all others</small>'
      : part === BASE
        ? '<br><small>for all others</small>'
        : '';
  return [
    '```mermaid',
    'flowchart TB',
    '  classDef pure fill:#ddf4ff,stroke:#0969da,color:#1f2328',
    '  classDef process fill:#fff8c5,stroke:#9a6700,color:#1f2328',
    ...[...graph.keys()].map((part) => `  ${idOf(part)}["${nameOf(part)}${noteOf(part)}"]${kindOf(part)}`),
    ...[...graph].flatMap(([part, targets]) =>
      [...targets].map((target) => `  ${idOf(part)} --> ${idOf(target)}`),
    ),
    '```',
    '',
  ].join('\n');
}
