import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

it.skipIf(process.platform === 'win32')(
  'a signal ends the command with its browser, whose profile is removed',
  async () => {
    const daemon = await startDaemon();
    onTestFinished(() => daemon.stop().then(() => undefined));
    const { id } = (await daemon.json('emulator', 'say', 'general', 'Hello')) as { readonly id: string };
    const temporary = join(daemon.folder, 'temporary');
    mkdirSync(temporary);
    const browser = join(daemon.folder, 'browser');
    const seen = join(daemon.folder, 'browser.pid');
    writeFileSync(browser, `#!/bin/sh\necho $$ > '${seen}.new'; mv '${seen}.new' '${seen}'; exec cat <&3\n`);
    chmodSync(browser, 0o755);
    for (const name of SIGNALS) {
      const args = [PROGRAM, 'emulator', 'picture', id, join(daemon.folder, 'hello.png')];
      const env = { ...daemon.env, TMPDIR: temporary, FOOTBRIDGE_CHROMIUM: browser };
      const command = spawn(process.execPath, args, { env, stdio: 'ignore' });
      onTestFinished(() => void command.kill('SIGKILL'));
      await expect.poll(() => existsSync(seen), { timeout: PATIENCE_MS }).toBe(true);
      const pid = Number(readFileSync(seen, 'utf8'));
      expect(readdirSync(temporary)).toHaveLength(1);
      const ended = once(command, 'exit');
      command.kill(name);
      expect(await ended).toEqual([128 + constants.signals[name], null]);
      expect(readdirSync(temporary)).toEqual([]);
      await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: PATIENCE_MS }).toBe(false);
      rmSync(seen);
    }
  },
);
