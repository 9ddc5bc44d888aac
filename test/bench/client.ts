// Measures the client library beside those that programs use today, in one run. `npm run bench -- client`
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { median, percentile, type Summary, summarize } from './statistics.ts';

/** Fresh processes in a pass, of each library and of bare Node. */
const LOADS = 7;
const GOALS = { loadMs: 4, rssMb: 4, ratio: 1.1 } as const;
const OWN = 'Footbridge';
const IMPORTED = `${OWN}, import`;

/** One library in one pass; times in ms, memory in MB of a million bytes. */
interface LibraryCost {
  /** Both over a process that loads an empty module in the same way: what Node takes for that is not the library's. */
  readonly loadMs: number;
  readonly rssMb: number;
  /** Both NaN for a second way to load the same. */
  readonly readyP50: number;
  readonly shownP50: number;
}

/** What {@link measureClients} found. */
export interface ClientReport {
  readonly node: string;
  readonly passes: number;
  readonly libraries: { readonly [name: string]: { readonly [K in keyof LibraryCost]: Summary } };
  readonly goals: readonly { readonly goal: string; readonly measured: string; readonly met: boolean }[];
}

/** Every library in every pass, one after the other; about ten seconds a pass. */
export async function measureClients(passes: number, tell: (text: string) => void): Promise<ClientReport> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-clients-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const programs = await preparePrograms(folder);
  const server = spawn(process.execPath, [programs.server, join(folder, 'discord-ipc-0')], {
    stdio: 'inherit',
  });
  const killAtExit = (): void => void server.kill('SIGKILL');
  process.once('exit', killAtExit);
  const costs = new Map<string, LibraryCost[]>(Object.keys(libraries).map((name) => [name, []]));
  try {
    // Long enough for any machine; a library that finds nothing says so itself.
    await sleep(300);
    for (let pass = 0; pass < passes; pass++) {
      // Each goes first once: what a machine does meanwhile is nobody's merit.
      for (const name of rotated(Object.keys(libraries), pass)) {
        tell(`pass ${pass + 1} of ${passes}: ${name}`);
        costs.get(name)?.push(await measureOne(name, folder, programs));
      }
    }
  } finally {
    process.off('exit', killAtExit);
    const ended = once(server, 'close');
    killAtExit();
    await ended;
    process.off('exit', removeFolder);
    removeFolder();
  }
  return makeReport(passes, costs);
}

const built = (file: string): string => fileURLToPath(new URL(`../../dist/client/${file}`, import.meta.url));

/** What is loaded of each; all but one row by `require`, which is the quicker way for all of them. */
const libraries: Readonly<Record<string, string>> = {
  [OWN]: built('index.cjs'),
  [IMPORTED]: built('index.mjs'),
  'discord-rpc': fileURLToPath(import.meta.resolve('discord-rpc')),
  '@xhayper/discord-rpc': fileURLToPath(import.meta.resolve('@xhayper/discord-rpc')),
  'discord-rpc-revamp': fileURLToPath(import.meta.resolve('discord-rpc-revamp')),
};

/** A program that loads what it is told to, and something empty of the same form. */
interface Loader {
  readonly program: string;
  readonly empty: string;
}

interface Programs {
  readonly server: string;
  readonly run: string;
  readonly require: Loader;
  readonly import: Loader;
}

async function preparePrograms(folder: string): Promise<Programs> {
  await build({
    entryPoints: ['client-server', 'client-run'].map((name) =>
      fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const load = (how: string): string => `const begin = performance.now();
${how}(process.argv[2]);
const loadMs = performance.now() - begin;
console.log(JSON.stringify({ loadMs, rssMb: process.memoryUsage.rss() / 1e6 }));
`;
  const empty = file('empty.cjs', 'module.exports = {};\n');
  return {
    server: join(folder, 'client-server.mjs'),
    run: join(folder, 'client-run.mjs'),
    require: { program: file('load.cjs', load('require')), empty },
    import: {
      program: file('load.mjs', load('await import')),
      empty: file('empty.mjs', 'import m from "./empty.cjs"; export const { none } = m;\n'),
    },
  };
}

const run = promisify(execFile);

async function measureOne(name: string, folder: string, programs: Programs): Promise<LibraryCost> {
  const file = libraries[name] ?? '';
  const loader = name === IMPORTED ? programs.import : programs.require;
  const env = { PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: folder };
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await run(process.execPath, args, { env, maxBuffer: 1e7 })).stdout);
  const loads: Load[] = [];
  for (let n = 0; n < LOADS; n++) {
    const bare = (await json(loader.program, loader.empty)) as Load;
    const full = (await json(loader.program, file)) as Load;
    loads.push({ loadMs: full.loadMs - bare.loadMs, rssMb: full.rssMb - bare.rssMb });
  }
  const load = {
    loadMs: median(loads.map(({ loadMs }) => loadMs)),
    rssMb: median(loads.map(({ rssMb }) => rssMb)),
  };
  // The same code however it was loaded.
  if (name === IMPORTED) return { ...load, readyP50: Number.NaN, shownP50: Number.NaN };
  const { ready, shown } = (await json(programs.run, name, file)) as { ready: number[]; shown: number[] };
  return { ...load, readyP50: percentile(ready, 50), shownP50: percentile(shown, 50) };
}

type Load = Pick<LibraryCost, 'loadMs' | 'rssMb'>;

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

const quantities = [
  { key: 'loadMs', label: 'load over bare Node, ms', digits: 2 },
  { key: 'rssMb', label: 'RSS over bare Node, MB', digits: 2 },
  { key: 'readyP50', label: 'connect to READY p50, ms', digits: 3 },
  { key: 'shownP50', label: 'SET_ACTIVITY p50, ms', digits: 3 },
] as const;

function makeReport(passes: number, costs: ReadonlyMap<string, readonly LibraryCost[]>): ClientReport {
  const summaries = Object.fromEntries(
    [...costs].map(([name, own]) => {
      const cells = quantities.map(({ key }) => [key, summarize(own.map((cost) => cost[key]))] as const);
      return [name, Object.fromEntries(cells) as { [K in keyof LibraryCost]: Summary }] as const;
    }),
  );
  const others = Object.keys(summaries).filter((name) => !name.startsWith(OWN));
  const middle = (name: string, key: keyof LibraryCost): number =>
    summaries[name]?.[key].median ?? Number.NaN;
  const worse = (key: keyof LibraryCost): number => Math.max(middle(OWN, key), middle(IMPORTED, key));
  const atMost = (goal: string, value: number, bound: number, unit: string) => ({
    goal: `${goal} at most ${bound.toFixed(bound === GOALS.ratio ? 2 : 0)} ${unit}`,
    measured: `${value.toFixed(2)} ${unit}`,
    met: value <= bound,
  });
  const beside = (label: string, key: keyof LibraryCost) => {
    const fastest = Math.min(...others.map((name) => middle(name, key)));
    return atMost(label, middle(OWN, key) / fastest, GOALS.ratio, '× the fastest of the others');
  };
  return {
    node: process.version,
    passes,
    libraries: summaries,
    goals: [
      atMost('require and import, each over bare Node,', worse('loadMs'), GOALS.loadMs, 'ms'),
      atMost('RSS over bare Node', worse('rssMb'), GOALS.rssMb, 'MB'),
      beside('connect to READY p50', 'readyP50'),
      beside('SET_ACTIVITY p50', 'shownP50'),
    ],
  };
}

/** A table for people, and the goals below it. */
export function clientsText({ node, passes, libraries: found, goals }: ClientReport): string {
  const width = Math.max(...Object.keys(found).map((name) => name.length));
  const lines = Object.entries(found).map(([name, costs]) => {
    const cells = quantities.map(({ key, label, digits }) => {
      const { median: middle, min, max } = costs[key];
      if (Number.isNaN(middle)) return ''.padEnd(label.length);
      const spread = `${middle.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
      return spread.padEnd(label.length);
    });
    return `${name.padEnd(width)}  ${cells.join('  ')}`.trimEnd();
  });
  const head = `${''.padEnd(width)}  ${quantities.map(({ label }) => label).join('  ')}`.trimEnd();
  const verdicts = goals.map(
    ({ goal, measured, met }) => `${met ? 'met     ' : 'NOT MET '} ${goal}: ${measured}`,
  );
  const what = `node ${node}, ${passes} interleaved passes: median (min–max)`;
  return `${[what, '', head, ...lines, '', ...verdicts].join('\n')}\n`;
}
