import { expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { startEmulator } from '../../../src/testing/testing.ts';
import { fakeIo } from '../fake-io.ts';

it('status and doctor leave no entries in the journal, which also feeds the console', async () => {
  await using emulator = await startEmulator();
  const run = async (...argv: readonly string[]) => {
    const io = fakeIo(emulator.env);
    await runProgram(argv, commandTable, io);
    return JSON.parse(io.stdout()) as unknown;
  };
  expect(await run('status', '--json')).toMatchObject({ running: true });
  const { checks } = (await run('doctor', '--json')) as {
    checks: readonly { id: string; verdict: string }[];
  };
  // It was answered; how fast is a matter of the machine.
  const verdict = checks.find(({ id }) => id === 'handshake')?.verdict;
  expect(verdict).toMatch(/^(ok|warning)$/);
  expect(await run('journal', '--json')).toEqual([]);
});
