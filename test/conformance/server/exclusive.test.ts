import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../broken/bundle.ts';
import { exclusive, exclusiveSettings, judge } from '../broken/server/exclusive.ts';

/** A busy machine must not look like a fault. */
const patient = {
  ...exclusiveSettings,
  timeouts: { ...exclusiveSettings.timeouts, answerMs: 4000, startMs: 20_000, stopMs: 5000, caseMs: 40_000 },
};

let program: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  program = await bundle('./server/main.ts');
});
afterAll(() => program.remove());

describe.skipIf(process.platform === 'win32')(
  'cases that start and stop the server (need unix sockets)',
  () => {
    it.concurrent.each(exclusive.map((one) => one.id))(
      'pass with the reference server: %s',
      async (id) => {
        const [result] = await judge(`exec '${process.execPath}' '${program.file}' ''`, [id], patient);
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
      'signal a server whose command is written %s, and wait for its exit',
      async (_, made) => {
        const command = made(`'${process.execPath}' '${program.file}' ''`);
        const results = await judge(command, stopping, patient);
        expect(results.map(({ case: one, verdict }) => [one.id, verdict])).toEqual(
          stopping.map((id) => [id, { kind: 'passed' }]),
        );
      },
      60_000,
    );
  },
);
