// The picture of the architecture in CONTRIBUTING: the parts of the tree in layers, and what each of them may import, from the
// data of the architecture test. An import that follows from others is not drawn.
import { join } from 'node:path';
import { APART, PROCESS, PURE, partOf, SEES } from '../test/helpers/architecture.ts';
import { root } from './bundle.ts';

export const ARCHITECTURE_PICTURE = join(root, '.github/architecture.svg');

const BOX = { width: 118, height: 38 } as const;
const GAP = { x: 16, y: 34 } as const;
/** Width that an arrow takes where it passes a layer. */
const LANE = 14;
const MARGIN = { side: 24, top: 64, bottom: 20 } as const;
const SWEEPS = 24;

/** A part of the tree, or a place where an arrow passes a layer (without a `part`). */
interface Node {
  readonly part?: string;
  readonly rank: number;
  x: number;
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The part that all others may import, and so no arrow leads to. */
const BASE = 'src/base';

/** Parts that import every other one, so that their arrows would say nothing. */
const seesAll = (part: string): boolean => SEES[part]?.includes('src') === true;

/** What each part may import, by part; entries for single files count as their part. */
function imports(): Graph {
  const parts = Object.keys(SEES);
  return new Map(
    parts.map((part) => {
      const named = (SEES[part] ?? []).flatMap((entry) => (entry === 'src' ? parts : (partOf(entry) ?? [])));
      const base = APART.includes(part) ? [] : [BASE];
      return [part, new Set([...named, ...base].filter((one) => one !== part))];
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
    [...targets].some((other) => other !== target && reachable(graph, other).has(target));
  return new Map(
    [...graph].map(([part, targets]) => [
      part,
      new Set(
        seesAll(part) ? [] : [...targets].filter((target) => target !== BASE && !follows(targets, target)),
      ),
    ]),
  );
}

/** Layer of a part, from 0 for one that imports nothing. */
function rankOf(graph: Graph, part: string): number {
  return 1 + Math.max(-1, ...[...(graph.get(part) ?? [])].map((target) => rankOf(graph, target)));
}

interface Layout {
  readonly rows: readonly Node[][];
  /** Each arrow as the nodes that it passes, from above. */
  readonly arrows: readonly (readonly Node[])[];
}

/** Places parts in rows by their layer, in an order with few crossings. */
function layout(graph: Graph): Layout {
  const rows: Node[][] = [];
  const put = (node: Node): Node => {
    rows[node.rank] ??= [];
    rows[node.rank]?.push(node);
    return node;
  };
  const nodes = new Map(
    [...graph.keys()].map((part) => [part, put({ part, rank: rankOf(graph, part), x: 0 })]),
  );
  const arrows = [...reduced(graph)].flatMap(([part, targets]) =>
    [...targets].map((target) => {
      const [from, to] = [nodes.get(part) as Node, nodes.get(target) as Node];
      const between = Array.from({ length: from.rank - to.rank - 1 }, (_, step) =>
        put({ rank: from.rank - step - 1, x: 0 }),
      );
      return [from, ...between, to];
    }),
  );
  const neighbours = new Map<Node, Node[]>();
  for (const arrow of arrows) {
    for (const [index, node] of arrow.entries()) {
      const beside = [arrow[index - 1], arrow[index + 1]].filter((one) => one !== undefined);
      neighbours.set(node, [...(neighbours.get(node) ?? []), ...beside]);
    }
  }
  for (const row of rows) spread(row);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) {
      const wanted = new Map(row.map((node) => [node, centre(neighbours.get(node) ?? [node])]));
      row.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
      spread(row, wanted);
    }
  }
  return { rows, arrows };
}

function centre(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { x }) => sum + x, 0) / nodes.length;
}

const widthOf = ({ part }: Node): number => (part === undefined ? LANE : BOX.width);

/** Places the nodes of a row from left to right without overlap, as near to where they are wanted as that allows. */
function spread(row: readonly Node[], wanted: ReadonlyMap<Node, number> = new Map()): void {
  let left = Number.NEGATIVE_INFINITY;
  for (const node of row) {
    const least = left === Number.NEGATIVE_INFINITY ? left : left + widthOf(node) / 2;
    node.x = Math.max(wanted.get(node) ?? 0, least);
    left = node.x + widthOf(node) / 2 + GAP.x;
  }
  // What was pushed to the right moves the row back by half.
  const shift = row.reduce((sum, node) => sum + (node.x - (wanted.get(node) ?? 0)), 0) / row.length;
  for (const node of row) node.x -= shift;
}

/** The SVG. */
export function architecturePicture(): string {
  const { rows, arrows } = layout(imports());
  const all = rows.flat();
  const left = Math.min(...all.map((node) => node.x - widthOf(node) / 2)) - MARGIN.side;
  const width = Math.max(...all.map((node) => node.x + widthOf(node) / 2)) + MARGIN.side - left;
  const height = MARGIN.top + rows.length * (BOX.height + GAP.y) - GAP.y + MARGIN.bottom;
  const at = ({ x, rank }: Node) => ({
    x: round(x - left),
    y: MARGIN.top + (rows.length - 1 - rank) * (BOX.height + GAP.y) + BOX.height / 2,
  });
  const lines = arrows.map((arrow) => `<path class="arrow" d="${pathOf(arrow.map(at))}"/>`);
  const boxes = all.flatMap((node) => (node.part === undefined ? [] : boxOf(node.part, at(node))));
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${height}" width="${round(width)}" height="${height}" role="img" aria-label="The parts of Footbridge in layers; each imports parts below it">
<!-- Drawn from test/helpers/architecture.ts: npm run gen writes it. -->
<style>
text{font:13px system-ui,sans-serif;fill:#1f2328;text-anchor:middle}.title{font-weight:600}.small{font-size:10.5px;fill:#59636e}
.start{text-anchor:start}.ground{fill:#fff}.box{fill:#f6f8fa;stroke:#818b98}.pure{fill:#ddf4ff;stroke:#0969da}.process{fill:#fff8c5;stroke:#9a6700}
.arrow{fill:none;stroke:#818b98;stroke-width:1.3;marker-end:url(#head)}.head{fill:#818b98}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.small{fill:#9198a1}.ground{fill:#0d1117}.box{fill:#161b22;stroke:#6e7681}
.pure{fill:#0c2d6b;stroke:#4493f8}.process{fill:#3b2300;stroke:#d29922}.arrow{stroke:#6e7681}.head{fill:#6e7681}}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>
<rect class="ground" width="${round(width)}" height="${height}" rx="8"/>
${legend().join('\n')}
${lines.join('\n')}
${boxes.join('\n')}
</svg>
`;
}

function legend(): string[] {
  const entries: readonly (readonly [kind: string, text: string])[] = [
    ['pure', 'knows neither Node nor the process'],
    ['box', 'knows Node'],
    ['process', 'reads the environment, answers signals'],
  ];
  let x = MARGIN.side;
  return [
    `<text class="title start" x="${MARGIN.side}" y="26">An arrow is an allowed import; imports that follow from others are left out</text>`,
    ...entries.map(([kind, text]) => {
      const entry = `<rect class="${kind}" x="${x}" y="37" width="14" height="12" rx="3"/><text class="small start" x="${x + 20}" y="47">${text}</text>`;
      x += 44 + text.length * 5.6;
      return entry;
    }),
  ];
}

function boxOf(part: string, { x, y }: { readonly x: number; readonly y: number }): string {
  const kind = PURE.includes(part) ? 'pure' : PROCESS.includes(part) ? 'process' : 'box';
  const note = seesAll(part) ? 'imports all others' : part === BASE ? 'for all others' : '';
  const name = `<text class="title" x="${x}" y="${note === '' ? y + 4.5 : y - 2}">${part.replace(/^src\//, '')}</text>`;
  const small = note === '' ? '' : `<text class="small" x="${x}" y="${y + 12}">${note}</text>`;
  return `<rect class="${kind}" x="${round(x - BOX.width / 2)}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="6"/>${name}${small}`;
}

/** A line from the lower edge of the first box to the upper edge of the last one, straight down through each row between. */
function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  const [first, ...rest] = points as [(typeof points)[number], ...(typeof points)[number][]];
  let path = `M${first.x} ${first.y + BOX.height / 2}`;
  let from = first.y + BOX.height / 2;
  let above = first.x;
  for (const [index, { x, y }] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const to = y - BOX.height / 2 - (isLast ? 2 : 0);
    const middle = (from + to) / 2;
    path += `C${above} ${middle} ${x} ${middle} ${x} ${to}`;
    if (!isLast) path += `V${y + BOX.height / 2}`;
    from = y + BOX.height / 2;
    above = x;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
