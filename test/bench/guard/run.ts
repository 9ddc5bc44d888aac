// `npm run bench:guard`: a short look whether a request costs more than it did, by ratios to the bare server in the same
// run. It fails only when a ratio is worse than 1.5 times the committed one in each of three tries: a guard, not a proof.
// There is a baseline for each kind of machine; `-- --commit` measures the one of this kind anew.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareGenerator } from '../generator/generator.ts';
import { findPinning } from '../machine.ts';
import { passRatio, runPasses } from '../passes.ts';
import { BARE, FOOTBRIDGE, preparePeers } from '../peers.ts';
import { chooseRows } from '../rows/rows.ts';
import { median } from '../statistics.ts';
import {
  type Baseline,
  baselineFor,
  FIGURES,
  type Guarded,
  nameOf,
  TOLERANCE,
  TRIES,
  tooBad,
  withBaseline,
  worse,
} from './judge.ts';

const COMMITTED = fileURLToPath(new URL('../committed.json', import.meta.url));
/** The build of the checkout: packing takes longer than the guard may. */
const DAEMON = fileURLToPath(new URL('../../../dist/footbridge.js', import.meta.url));
/** The bare server's figure that tells the kind of a machine. */
const KIND = { row: 'activity-same', key: 'p50' };
/** For `--commit`. */
const PASSES = 5;

const { values } = parseArgs({ options: { commit: { type: 'boolean', default: false } } });
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const workFolder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-guard-'));
process.once('exit', () => rmSync(workFolder, { recursive: true, force: true }));
const program = { command: [process.execPath, DAEMON] };
const peers = (await preparePeers(workFolder, program)).peers.filter(
  ({ name }) => name === BARE || name === FOOTBRIDGE,
);
const generator = await prepareGenerator(workFolder);
const bench = { generator, pinning: findPinning(), program, quick: true, workFolder };
process.exit(values.commit ? await commit() : await guard());

async function commit(): Promise<number> {
  const tries: Baseline[] = [];
  for (let n = 0; n < PASSES; n++) tries.push(await measure(FIGURES));
  const rounded = (values: readonly number[]): number => Number(median(values).toPrecision(3));
  const own: Baseline = {
    bare: rounded(tries.map(({ bare }) => bare)),
    ratios: Object.fromEntries(
      FIGURES.map((figure) => [
        nameOf(figure),
        rounded(tries.map(({ ratios }) => ratios[nameOf(figure)] ?? Number.NaN)),
      ]),
    ),
  };
  writeFileSync(COMMITTED, `${JSON.stringify(withBaseline(own, readBaselines()), undefined, 2)}\n`);
  process.stdout.write(`${JSON.stringify(own, undefined, 2)}\n`);
  return 0;
}

function readBaselines(): readonly Baseline[] {
  return JSON.parse(readFileSync(COMMITTED, 'utf8')) as readonly Baseline[];
}

async function guard(): Promise<number> {
  let measured = await measure(FIGURES);
  const baseline = baselineFor(measured.bare, readBaselines());
  if (!baseline)
    throw new Error(`${COMMITTED} has no baseline: npm run bench:guard -- --commit measures one`);
  process.stdout.write(
    `the bare server's request takes ${measured.bare.toFixed(1)} µs here: compared with the machine where it took ${baseline.bare}\n`,
  );
  let suspects = FIGURES;
  for (let n = 1; suspects.length > 0; n++) {
    for (const figure of suspects) {
      const [is, was] = [measured.ratios[nameOf(figure)], baseline.ratios[nameOf(figure)]];
      if (is === undefined || was === undefined) continue;
      const by = worse(figure, baseline.ratios, measured.ratios);
      process.stdout.write(
        `try ${n}: ${nameOf(figure)} is ${is.toFixed(2)} × the bare server's, committed ${was} ×: ` +
          `${by > TOLERANCE ? `WORSE by ${by.toFixed(2)}` : 'fine'}\n`,
      );
    }
    suspects = tooBad(suspects, baseline.ratios, measured.ratios);
    if (n === TRIES || suspects.length === 0) break;
    measured = await measure(suspects);
  }
  if (suspects.length === 0) return 0;
  process.stdout.write(
    `bench:guard: in each of ${TRIES} tries worse than ${TOLERANCE} times the committed ratio: ` +
      `${suspects.map(nameOf).join(', ')}. Find the cause; when the cost is wanted, npm run bench:guard -- --commit\n`,
  );
  return 1;
}

/** These figures, each server once; says what could not be measured, and why. `bare` is NaN without its row. */
async function measure(figures: readonly Guarded[]): Promise<Baseline> {
  const rows = chooseRows([...new Set(figures.map(({ row }) => row))].join());
  const passes = await runPasses(rows, peers, [], bench, 1, () => {});
  for (const { row, reasons } of passes)
    for (const [name, reason] of reasons)
      process.stdout.write(`${row.id}, ${name}: not measured: ${reason}\n`);
  const ratios: [string, number][] = figures.flatMap((figure) => {
    const readings = passes.find(({ row }) => row.id === figure.row)?.readings;
    const [own, bare] = [readings?.get(FOOTBRIDGE), readings?.get(BARE)];
    return own && bare ? [[nameOf(figure), passRatio(own, figure.key, bare, figure.key)]] : [];
  });
  const same = passes.find(({ row }) => row.id === KIND.row)?.readings.get(BARE);
  return { bare: same?.[0]?.[KIND.key] ?? Number.NaN, ratios: Object.fromEntries(ratios) };
}
