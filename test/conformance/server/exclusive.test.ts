import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverCases } from '../../../src/conformance/server/cases.ts';
import type { Host } from '../../../src/conformance/server/host.ts';
import { runServerCases } from '../../../src/conformance/server/run.ts';
import { bundle } from '../broken/bundle.ts';
import { faults } from '../broken/server/faults.ts';
import { quickSettings } from '../broken/server/host.ts';

const settings = {
  ...quickSettings,
  env: process.env,
  patience: { ...quickSettings.patience, answerMs: 1500, stopMs: 1200, caseMs: 15_000 },
};
const patient = {
  ...settings,
  patience: { ...settings.patience, answerMs: 4000, startMs: 20_000, stopMs: 5000, caseMs: 40_000 },
};
const exclusive = serverCases.filter((one) => one.mode === 'exclusive');

/** These cases start their server themselves, so nothing is shared. */
const noHost: Host = {
  generation: 1,
  exit: undefined,
  lastWords: () => '',
  context: () => Promise.reject(new Error('no shared server')),
  close: () => Promise.resolve(),
};

let program: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  program = await bundle('./server/main.ts');
});
afterAll(() => program.remove());

async function run(fault: string, ids: readonly string[], how = settings) {
  return await runCommand(`exec '${process.execPath}' '${program.file}' '${fault}'`, ids, how);
}

async function runCommand(command: string, ids: readonly string[], how = settings) {
  const cases = exclusive.filter((one) => ids.includes(one.id));
  return await runServerCases(cases, noHost, command, how, { onResult: () => undefined });
}

describe.skipIf(process.platform === 'win32')(
  'cases that start and stop the server (skipped: need unix sockets)',
  () => {
    it.concurrent.each(exclusive.map((one) => one.id))(
      'the reference server passes %s',
      async (id) => {
        const [result] = await run('', [id], patient);
        expect(result?.verdict).toEqual({ kind: 'passed' });
      },
      60_000,
    );

    // Where `sh` is dash it stays between the suite and the server, and passes no signal on.
    const stopping = ['endpoint/11', 'endpoint/12', 'endpoint/17', 'recovery/3', 'recovery/4', 'recovery/5'];
    const commands: [string, (server: string) => string][] = [
      ['as it is', (server) => server],
      ['behind a variable', (server) => `REFERENCE=1 ${server}`],
      ['behind another command', (server) => `cd / && ${server}`],
      ['in a subshell', (server) => `(cd / && ${server})`],
      ['in the background', (server) => `${server} & wait $!`],
      ['under a shell of its own', (server) => `sh -c "true; ${server}; exit \\$?" | cat; exit 1`],
    ];
    it.each(commands)(
      'a server whose command stands %s gets the signals, and its end is waited for',
      async (_, made) => {
        const command = made(`'${process.execPath}' '${program.file}' ''`);
        const results = await runCommand(command, stopping, patient);
        expect(results.map(({ case: one, verdict }) => [one.id, verdict])).toEqual(
          stopping.map((id) => [id, { kind: 'passed' }]),
        );
      },
      60_000,
    );

    const provable = Object.entries(faults).flatMap(([name, { caught }]) =>
      exclusive.filter((one) => caught.includes(one.id)).map((one) => ({ name, id: one.id })),
    );

    it.concurrent.each(provable)(
      '$id catches a server that $name',
      async ({ name, id }) => {
        const [result] = await run(name, [id]);
        expect(result?.verdict.kind).toMatch(/^(failed|warned)$/);
      },
      60_000,
    );
  },
);
