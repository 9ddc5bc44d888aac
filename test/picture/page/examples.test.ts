import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { startEmulator, type TestEmulator } from '../../../src/testing/testing.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { examplesOf, needsBrowser, wordsOf } from '../../helpers/examples.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const missing = chromiumMissing();

describe.skipIf(missing !== undefined)(
  `an example of the help (${missing ?? 'works as it is typed'}):`,
  () => {
    let bridge: TestEmulator;
    beforeAll(async () => {
      bridge = await startEmulator();
    });
    afterAll(() => bridge?.close());

    it.each(examplesOf(({ command }) => needsBrowser(command)))('%s', async (_line, { line }) => {
      const { id } = await bridge.operations.call('channel.say', { channel: 'general', text: 'Aye.' });
      const file = `${temporaryFolder()}/reply.png`;
      const words = wordsOf(line).map(
        (word) => ({ '1461234567890123456': id, 'reply.png': file })[word] ?? word,
      );
      const io = fakeIo(bridge.env);
      expect([await runProgram(words, commandTable, io), io.stderr()]).toEqual([0, '']);
      expect(io.stdout()).toContain(file);
      expect(existsSync(file)).toBe(true);
    });
  },
);
