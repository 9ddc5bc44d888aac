import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from './fake-io.ts';

const APP = '300000000000000001';

it('origins add prints a note for an id that no app can have, and allows the id', async () => {
  await using emulator = await startEmulator();
  const origins = async (...argv: readonly string[]) => {
    const io = fakeIo(emulator.env);
    const code = await runProgram(['origins', ...argv], commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const add = (...argv: readonly string[]) => origins('add', ...argv);
  expect(await add('123', 'http://localhost:3000')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/123 +http:\/\/localhost:3000/),
    stderr: 'note: 123 is shorter than the id of any application: no app may have it.\n',
  });
  for (const argv of [[APP, 'http://localhost:3000'], ['streamkit']])
    expect(await add(...argv)).toMatchObject({ code: 0, stderr: '' });
  expect((await origins('remove', '123', 'http://localhost:3000')).stderr).toBe('');
  // A script reads stdout alone.
  const scripted = await add('124', 'http://localhost:3000', '--json');
  expect(JSON.parse(scripted.stdout)).toHaveProperty('origins');
  expect(scripted.stderr).toContain('note: 124 ');
});
