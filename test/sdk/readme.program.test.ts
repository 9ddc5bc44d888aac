import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fences } from '../helpers/markdown.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(new URL('../../.github/guide/test-a-game.md', import.meta.url), 'utf8');

it.each([
  ['of a sign-in', 'Signed in as', /^Signed in as river\n$/],
  ['of one player to a ban', 'bridge.ban(', /^provisional_(\d+)\nriver\nprovisional_(?!\1)\d+\n$/],
  ['of two players', 'bridge.users.switch(name)', /^Otter: aye\n$/],
])(
  'the guide has a program %s that runs without changes',
  (_what, part, printed) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(root, join(cwd, 'node_modules/footbridge'));
    const program = fences(guide).find(({ text }) => text.includes(part))?.text ?? '';
    writeFileSync(join(cwd, 'program.mjs'), program);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], {
      cwd,
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(printed);
  },
  40_000,
);
