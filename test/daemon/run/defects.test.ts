import { expect, it } from 'vitest';
import { bridgeRun, runPlace } from '../../helpers/bridge-run.ts';

/** A run whose core is a module with these functions. */
function runOf(functions: string) {
  const place = runPlace();
  const path = place.file(
    'my-core.mjs',
    `export const createCore = () => ({
  name: 'mine',
  open: () => { throw new Error('nobody'); },
  ${functions}
});`,
  );
  return bridgeRun({ place, env: { FOOTBRIDGE_CORE: path } });
}

it('a defect in an operation is logged by its name, because its message may quote an app', async () => {
  const run = await runOf(`stop() {},
  start: () => ({
    admin: {
      'mine.break': {
        summary: 'Breaks',
        args: () => ({ safeParse: (data) => ({ success: true, data }) }),
        run() { throw new RangeError('canary'); },
      },
    },
  }),`);
  await expect(run.control.call('mine.break')).rejects.toThrow();
  expect(run.log('defect in the control API')).toEqual([
    { level: 'error', reason: 'RangeError', msg: 'defect in the control API' },
  ]);
  expect(run.stderr()).not.toContain('canary');
});

it('a core that cannot be stopped delays the end of no other part', async () => {
  const run = await runOf(`start: () => ({}), stop() { throw new RangeError('canary'); },`);
  expect(await run.stop()).toBe('exit 0');
  expect(run.log('the core did not stop')).toEqual([
    { level: 'error', reason: 'canary', msg: 'the core did not stop' },
  ]);
});

it.each([
  ['ENOSPC', [{ level: 'error', reason: 'the disk is full (ENOSPC)', msg: 'stdout could not be written' }]],
  ['EPIPE', []],
])('a bridge whose stdout fails with %s serves on', async (stdoutFault, lines) => {
  const run = await bridgeRun({ stdoutFault });
  expect(run.log('stdout could not be written')).toEqual(lines);
  await run.app();
  expect(await run.stop()).toBe('exit 0');
});
