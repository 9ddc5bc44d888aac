import type { Measurement } from './measure.ts';
import { BARE, FOOTBRIDGE } from './peers.ts';
import { median, type Summary, summarize } from './statistics.ts';

/** Every pass of every server, by its name; the passes at the same place were measured side by side. */
export type Passes = ReadonlyMap<string, readonly Measurement[]>;

/** One quantity of one server. */
interface Cell extends Summary {
  /** Median of this server's value divided by the bare server's in the same pass. */
  readonly ratio: number;
}

/** A goal and whether it is met. */
interface Goal {
  readonly goal: string;
  readonly measured: string;
  readonly met: boolean;
}

/** The whole result, as `--json` prints it. */
export interface Report {
  readonly node: string;
  readonly passes: number;
  readonly servers: { readonly [name: string]: { readonly [K in keyof Measurement]: Cell } };
  readonly goals: readonly Goal[];
}

interface Quantity {
  readonly key: keyof Measurement;
  readonly label: string;
  readonly digits: number;
}

const quantities: readonly Quantity[] = [
  { key: 'listeningMs', label: 'time to listening, ms', digits: 0 },
  { key: 'listeningCpuMs', label: 'processor time until then, ms', digits: 0 },
  { key: 'idleRssMiB', label: 'idle RSS, MiB', digits: 1 },
  { key: 'readyP50', label: 'connect to READY p50, µs', digits: 0 },
  { key: 'readyP99', label: 'connect to READY p99, µs', digits: 0 },
  { key: 'activityP50', label: 'SET_ACTIVITY p50, µs', digits: 0 },
  { key: 'activityP99', label: 'SET_ACTIVITY p99, µs', digits: 0 },
];

const RSS_OVER_BARE_MIB = 12;
const LISTENING_RATIO = 2.2;
/** A ratio of two times within this of its bound is the machine's mood, not the code's. */
const TIMING_TOLERANCE = 1.1;

/** Medians, spreads, ratios and the verdict on the goals. */
export function makeReport(passes: Passes): Report {
  const bare = passes.get(BARE) ?? [];
  const servers = [...passes].map(([name, own]) => {
    const cells = quantities.map(({ key }) => [key, cell(key, own, bare)] as const);
    return [name, Object.fromEntries(cells) as { [K in keyof Measurement]: Cell }] as const;
  });
  return {
    node: process.version,
    passes: bare.length,
    servers: Object.fromEntries(servers),
    goals: judge(passes.get(FOOTBRIDGE) ?? [], bare),
  };
}

function cell(key: keyof Measurement, own: readonly Measurement[], bare: readonly Measurement[]): Cell {
  const ratios = own.map((measurement, pass) => measurement[key] / (bare[pass]?.[key] ?? Number.NaN));
  return { ...summarize(own.map((measurement) => measurement[key])), ratio: median(ratios) };
}

function judge(own: readonly Measurement[], bare: readonly Measurement[]): Goal[] {
  const over = median(own.map(({ idleRssMiB }, pass) => idleRssMiB - (bare[pass]?.idleRssMiB ?? Number.NaN)));
  const ratio = cell('listeningMs', own, bare).ratio;
  return [
    {
      goal: `idle RSS at most ${BARE} + ${RSS_OVER_BARE_MIB} MiB`,
      measured: Number.isNaN(over) ? 'not measured: this system has no /proc' : `+ ${over.toFixed(1)} MiB`,
      met: over <= RSS_OVER_BARE_MIB,
    },
    {
      goal: `time to listening at most ${LISTENING_RATIO} × ${BARE}`,
      measured: `${ratio.toFixed(2)} ×`,
      met: ratio <= LISTENING_RATIO * TIMING_TOLERANCE,
    },
  ];
}

/** A table for people, and the goals below it. */
export function reportText({ node, passes, servers, goals }: Report): string {
  const names = Object.keys(servers);
  const rows = quantities.map(({ key, label, digits }) => [
    label,
    ...names.map((name) => cellText(servers[name]?.[key], digits, name)),
  ]);
  const table = align([['', ...names], ...rows]);
  const verdicts = goals.map(
    ({ goal, measured, met }) => `${met ? 'met     ' : 'NOT MET '} ${goal}: ${measured}`,
  );
  const head = `node ${node}, ${passes} interleaved passes: median (min–max), × ${BARE}`;
  return `${[head, '', ...table, '', ...verdicts].join('\n')}\n`;
}

function cellText(value: Cell | undefined, digits: number, name: string): string {
  if (value === undefined || Number.isNaN(value.median)) return 'not measured';
  const { min, max, ratio } = value;
  const spread = `${value.median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
  return name === BARE ? spread : `${spread} ${ratio.toFixed(2)}×`;
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
