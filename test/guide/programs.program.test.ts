import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { blockOf } from '../helpers/page-sessions.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { blocksOfPages } from './blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = Object.entries(blocksOfPages).flatMap(([page, blocks]) =>
  blocks
    .filter(({ language, test }) => language === 'js' && import.meta.url.endsWith(test))
    .map(({ words }) => [page, words] as const),
);
/** A folder with what the programs import, and the fixture that they read. */
function folderForPrograms(): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'node_modules'));
  for (const name of ['discord-rpc', 'discord.js'])
    symlinkSync(join(root, 'node_modules', name), join(cwd, 'node_modules', name));
  symlinkSync(root, join(cwd, 'node_modules/footbridge'));
  writeFileSync(join(cwd, 'world.toml'), blockOf('.github/guide/test-a-bot.md', 'toml', 'bot_user'));
  return cwd;
}

it.each(programs)(
  'the program of %s with %s runs without changes',
  { timeout: 180_000 },
  async (page, words) => {
    const cwd = folderForPrograms();
    const child = spawn(process.execPath, ['--input-type=module', '-'], { cwd });
    child.stdin.end(blockOf(page, 'js', words));
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  },
);

it('the programs of the guides number more than five', () => {
  expect(programs.length).toBeGreaterThan(5);
});
