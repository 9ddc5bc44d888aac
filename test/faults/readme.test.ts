import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
// Here, because loading it from the sources takes longer than a command waits for its bridge.
import '../../src/emulator/compose/route-names.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { wordsOf } from '../helpers/examples.ts';

it('the guide shows the output of the fault commands', async () => {
  const text = readFileSync(new URL('../../.github/guide/inspect-record-faults.md', import.meta.url), 'utf8');
  const [, block = ''] = /```console\n(\$ footbridge emulator fault add .*?)```/s.exec(text) ?? [];
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  let said = '';
  for (const line of block.split('\n').filter((one) => one.startsWith('$ '))) {
    const io = fakeIo(emulator.env);
    await runProgram(wordsOf(line.slice('$ '.length)), commandTable, io);
    said += `${line}\n${io.stdout()}${io.stderr()}`;
  }
  expect(said).toBe(block);
});
