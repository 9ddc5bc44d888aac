import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFile } from '../../../platform/process/open-file.ts';
import { systemProgram } from '../../../platform/process/system-program.ts';
import { NOBODY } from '../../helpers/other-user.ts';
import { temporaryFolder, uid } from '../../helpers/sockets.ts';

/** A folder with an executable in it. */
function bin(name = 'tool'): string {
  const folder = join(temporaryFolder(), 'bin');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(join(folder, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  return folder;
}

/** The folder, once a path in it has another mode. */
function withMode(folder: string, path: string, mode: number): string {
  chmodSync(path, mode);
  return folder;
}

describe('systemProgram', () => {
  it('finds the first program in PATH', () => {
    const [one, two] = [bin(), bin()];
    expect(systemProgram('tool', { PATH: `/nowhere:${one}:${two}` })).toBe(join(one, 'tool'));
    expect(systemProgram('sh', {})).toMatch(/^\/(usr\/)?bin\/sh$/);
    expect(systemProgram('tool', { PATH: '/nowhere' })).toBeUndefined();
  });

  it.each<[string, (folder: string) => string]>([
    ['a relative folder', () => '.'],
    ['an empty entry', () => ''],
    ['a folder that everybody may write to', (folder) => withMode(folder, folder, 0o777)],
    ['a file that everybody may write to', (folder) => withMode(folder, join(folder, 'tool'), 0o777)],
    ['a file that cannot be run', (folder) => withMode(folder, join(folder, 'tool'), 0o644)],
  ])('passes over %s', (_what, change) => {
    const [first, second] = [bin(), bin()];
    expect(systemProgram('tool', { PATH: `${change(first)}:${second}` })).toBe(join(second, 'tool'));
  });

  it.skipIf(uid !== 0)('passes over a file or folder of another user (needs root)', () => {
    const [file, folder, good] = [bin(), bin(), bin()];
    chownSync(join(file, 'tool'), NOBODY, NOBODY);
    chownSync(folder, NOBODY, NOBODY);
    expect(systemProgram('tool', { PATH: `${file}:${folder}:${good}` })).toBe(join(good, 'tool'));
  });
});

it('openFile refuses a program in a folder of PATH that others can write to', async () => {
  const folder = bin('xdg-open');
  chmodSync(folder, 0o777);
  const failure = await openFile('linux', '/tmp/x', { PATH: folder });
  expect(failure).toBe('xdg-open is in no folder of PATH that only you and root can write to');
});
