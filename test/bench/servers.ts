// Measures the packed and installed program beside arRPC, a bare server and a C echo: see README.md here.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareGenerator } from './generator/generator.ts';
import type { HttpFigure } from './http.ts';
import { describeMachine, findPinning } from './machine.ts';
import { installPacked } from './packed.ts';
import { runPasses } from './passes.ts';
import { FOOTBRIDGE, preparePeers } from './peers.ts';
import { plot } from './report/plot.ts';
import { withFigures, withHttpFigures } from './report/readme.ts';
import { makeReport, passesOf, type Report } from './report/report.ts';
import type { Row } from './rows/row.ts';

const GUIDE = fileURLToPath(new URL('../../.github/guide/performance.md', import.meta.url));
const PLOT = fileURLToPath(new URL('../../.github/bench.svg', import.meta.url));

/** What is measured, and how often. */
export interface ServersOptions {
  readonly rows: readonly Row[];
  readonly passes: number;
  readonly quick: boolean;
  readonly tell: (text: string) => void;
  /** Of the same machine and version: its rows that are not measured now are in the report, too. */
  readonly earlier?: Report | undefined;
}

/** All rows over all servers; the work folder is removed when the process ends. */
export async function measureServers(options: ServersOptions): Promise<Report> {
  const { rows, passes, quick, tell, earlier } = options;
  const workFolder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-bench-'));
  process.once('exit', () => rmSync(workFolder, { recursive: true, force: true }));
  tell('packing and installing');
  const installed = installPacked(workFolder);
  const program = { command: [installed.command] };
  tell('preparing the servers');
  const { peers, absent } = await preparePeers(workFolder, program);
  const generator = await prepareGenerator(workFolder);
  const bench = { generator, pinning: findPinning(), program, quick, workFolder };
  const results = await runPasses(rows, peers, absent, bench, passes, tell);
  const setting = {
    machine: describeMachine(),
    generator: generator.what,
    footbridge: installed.version,
    passes,
    quick,
    date: today(),
  };
  return makeReport(setting, [...results, ...(earlier ? passesOf(earlier) : [])]);
}

/** Writes what the guide on performance shows, plot and table; nothing when our own program was not measured. */
export function publish(report: Report): void {
  if (!report.rows.some(({ quantities }) => quantities.some(({ cells }) => FOOTBRIDGE in cells))) return;
  writeFileSync(PLOT, plot(report));
  writeFileSync(GUIDE, withFigures(readFileSync(GUIDE, 'utf8'), report));
}

/** Writes the guide's table of the HTTP API. */
export function publishHttp(figures: readonly HttpFigure[], passes: number): void {
  const setting = { machine: describeMachine(), passes, quick: false, date: today() };
  writeFileSync(GUIDE, withHttpFigures(readFileSync(GUIDE, 'utf8'), figures, setting));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
