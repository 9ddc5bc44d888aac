import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { startEmulator } from '../../../src/testing/testing.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { wordsOf } from '../../helpers/examples.ts';
import { blockOf, stepsOf } from '../../helpers/page-sessions.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const missing = chromiumMissing();
const PAGE = '.github/guide/test-a-bot.md';
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Without what another machine has otherwise: the browser, its sandbox, its fonts, and the height that they cause. */
const anywhere = (text: string): string =>
  text
    .replace(
      / × \d+ pixels, by \w+\/[\d.]+(?: without its sandbox, which root cannot have)?, with [^\n]+\.\n/,
      ' drawn\n',
    )
    .replace(/^.*\/(keys\.png)/m, '$1');

describe.skipIf(missing !== undefined)(
  `the guide on pictures${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    it('shows what the commands print', async () => {
      const bridge = await startEmulator();
      onTestFinished(() => bridge.close());
      const file = join(temporaryFolder(), 'keys.png');
      const steps = stepsOf(PAGE).filter(({ command }) =>
        /emulator (?:read general --limit|picture)/.test(command),
      );
      expect(steps).toHaveLength(2);
      for (const { command, printed } of steps) {
        const io = fakeIo(bridge.env);
        const words = wordsOf(command).map((word) => (word === 'keys.png' ? file : word));
        expect([await runProgram(words, commandTable, io), io.stderr()]).toEqual([0, '']);
        expect(anywhere(io.stdout()).trimEnd()).toBe(anywhere(`${printed.trimEnd()}\n`).trimEnd());
      }
    });

    it('has a program that runs twice without changes, and refuses another picture', {
      timeout: 120_000,
    }, () => {
      const cwd = temporaryFolder();
      mkdirSync(join(cwd, 'node_modules'));
      symlinkSync(root, join(cwd, 'node_modules/footbridge'));
      writeFileSync(join(cwd, 'world.toml'), blockOf(PAGE, 'toml', 'bot_user'));
      const run = () => {
        const input = blockOf(PAGE, 'js', 'bridge.picture(');
        const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
          cwd,
          input,
          encoding: 'utf8',
        });
        return { status, stderr };
      };
      expect([run(), run()]).toEqual([
        { status: 0, stderr: '' },
        { status: 0, stderr: '' },
      ]);
      writeFileSync(join(cwd, 'ferry.png'), 'another picture');
      expect(run().stderr).toContain('the message looks different');
    });
  },
);
