import { expect, it } from 'vitest';
import { playScenario } from '../../src/scenario/play.ts';
import { readScenarios } from '../../src/scenario/read.ts';
import { startEmulator } from '../../src/testing/testing.ts';

/** Plays steps, at the first of which a bot requests an address. */
async function played(path: string, ...steps: readonly string[]) {
  await using emulator = await startEmulator({ strict: true });
  const headers = {
    authorization: `Bot ${Buffer.from('300000000000000001').toString('base64url')}.emulator.bot`,
  };
  const call = (name: string, args: object): Promise<unknown> =>
    emulator.operations.call(name as 'summary', args);
  const text = `[[scenario]]\nname = "one"\nstep = [\n${steps.map((step) => `  ${step},\n`).join('')}]\n`;
  const file = readScenarios(text, 'one.toml');
  const [scenario] = 'scenarios' in file ? file.scenarios : [];
  if (scenario === undefined) throw new Error(JSON.stringify(file));
  const stage = {
    call: async (name: string, args: object) => {
      const result = await call(name, args);
      if (name === 'activity.doubts') await fetch(`${emulator.api}/v10${path}`, { headers });
      return result;
    },
  };
  return await playScenario(stage, scenario, { quiet: '1ms' });
}

const ACT = '{ operate = "activity.doubts" }';

it('a scenario fails at the step after which the bot breaks a rule, and shows what passed', async () => {
  const { steps, transcript } = await played('/gateway?colour=1', ACT);
  expect(steps).toMatchObject([
    {
      kind: 'failed',
      problem: {
        what: 'strict mode: unknown-field: there is no field "?colour"',
        actual: 'GET /gateway (get_gateway)',
        place: { file: 'one.toml', line: 4 },
      },
    },
  ]);
  expect(transcript.map((line) => line.slice(14))).toEqual([
    'http      GET /api/v10/gateway?colour=[hidden] 200',
    'violation  strict: unknown-field: there is no field "?colour", at GET /gateway (get_gateway)',
  ]);
});

it.each([
  ['that no step expects', [ACT], ['strict mode: unhandled-refusal: 404 10013 Unknown User']],
  [
    'that a step expects',
    [ACT, '{ expect = "request", request = "GET /users/{id}", status = 404 }'],
    ['passed', 'passed'],
  ],
])('a refusal %s', async (_what, given, kinds) => {
  const { steps } = await played('/users/12', ...given);
  expect(steps.map((one) => (one.kind === 'failed' ? one.problem.what : one.kind))).toEqual(kinds);
});
