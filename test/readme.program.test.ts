import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundled } from './helpers/bundled.ts';
import { startDaemon } from './helpers/daemon.ts';
import { fences } from './helpers/markdown.ts';
import { temporaryFolder } from './helpers/sockets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = fences(readFileSync(join(root, 'README.md'), 'utf8')).filter(
  ({ language }) => language === 'js' || language === 'ts',
);

describe('programs of the README', () => {
  /** A folder in which the program of README with this text can run. */
  function written(words: string, change: (text: string) => string): { cwd: string; file: string } {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(root, join(cwd, 'node_modules/footbridge'));
    symlinkSync(join(root, 'node_modules/discord-rpc'), join(cwd, 'node_modules/discord-rpc'));
    const [program, ...others] = programs.filter(({ text }) => text.includes(words));
    expect(others).toEqual([]);
    const file = join(cwd, 'app.mjs');
    writeFileSync(file, change(program?.text ?? ''));
    return { cwd, file };
  }

  it('that use discord-rpc run unchanged, except for the port of the token endpoint', {
    timeout: 60_000,
  }, async () => {
    const daemon = await startDaemon({ command: [process.execPath, bundled('footbridge')] });
    onTestFinished(async () => void (await daemon.stop()));
    const { cwd, file } = written('VOICE_SETTINGS_UPDATE', (text) => {
      const changed = text.replace('http://127.0.0.1:6481/api', daemon.ready.api);
      expect(changed).not.toBe(text);
      return changed;
    });
    const child = spawn(process.execPath, [file], {
      cwd,
      env: daemon.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const said = () => out + (child.exitCode === null ? '' : err);
    await expect.poll(said, { timeout: 30_000 }).toMatch(/^river mute is false$/m);
    // What it subscribes to takes a moment that it does not tell.
    await expect
      .poll(
        async () => {
          await daemon.cli(['emulator', 'voice', 'set', 'mute', 'true']);
          await daemon.cli(['emulator', 'voice', 'set', 'mute', 'false']);
          return said();
        },
        { timeout: 20_000 },
      )
      .toMatch(/^mute is true$/m);
  });
});
