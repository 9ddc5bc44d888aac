// The picture of the architecture in CONTRIBUTING: the parts of the tree, and what each of them may import, from the data of the
// architecture test, as a diagram that the host of the repository draws (Mermaid). An import that follows from others is left out.
import { PROCESS, PURE, partOf, SEES } from '../test/helpers/architecture.ts';

/** The part that all others may import, and so no arrow leads to. */
const BASE = 'src/base';

/** Parts that import every other one, so that their arrows would say nothing. */
const seesAll = (part: string): boolean => SEES[part]?.includes('src') === true;

/** What each part may import, by part; entries for single files count as their part. */
const IMPORTS = new Map(
  Object.entries(SEES).map(([part, entries]) => {
    const named = seesAll(part) ? [] : entries.flatMap((entry) => partOf(entry) ?? []);
    return [part, [...new Set(named)].filter((one) => one !== part && one !== BASE)] as const;
  }),
);

function reachable(part: string): ReadonlySet<string> {
  const found = new Set(IMPORTS.get(part));
  for (const one of found) for (const next of IMPORTS.get(one) ?? []) found.add(next);
  return found;
}

/** The diagram; parts that know nothing of Node, and parts that read the environment, have a colour. */
export function architecturePicture(): string {
  const nameOf = (part: string): string => part.replace(/^src\//, '');
  const idOf = (part: string): string => nameOf(part).replaceAll('/', '_');
  const boxes = [...IMPORTS.keys()].map((part) => {
    const kind = PURE.includes(part) ? ':::pure' : PROCESS.includes(part) ? ':::process' : '';
    const note = seesAll(part) ? 'imports all others' : part === BASE ? 'for all others' : undefined;
    const small = note === undefined ? '' : `<br><small>${note}</small>`;
    return `  ${idOf(part)}["${nameOf(part)}${small}"]${kind}`;
  });
  const arrows = [...IMPORTS].flatMap(([part, targets]) => {
    const own = targets.filter((target) => !targets.some((other) => reachable(other).has(target)));
    return own.map((target) => `  ${idOf(part)} --> ${idOf(target)}`);
  });
  return [
    '```mermaid',
    'flowchart TB',
    '  classDef pure fill:#ddf4ff,stroke:#0969da,color:#1f2328',
    '  classDef process fill:#fff8c5,stroke:#9a6700,color:#1f2328',
    ...boxes,
    ...arrows,
    '```',
    '',
  ].join('\n');
}
