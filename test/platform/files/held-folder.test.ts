import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdFolder, inFolder, statusIn } from '../../../platform/files/held-folder.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

describe.skipIf(process.platform !== 'linux')('a held folder (Linux only)', () => {
  it('stays the same under its path when a link replaces its name', () => {
    const folder = join(temporaryFolder(), 'held');
    mkdirSync(folder);
    writeFileSync(join(folder, 'file'), '');
    const held = holdFolder(folder);
    expect(held.isThere()).toBe(true);
    renameSync(folder, `${folder}-moved`);
    symlinkSync('/', folder);
    expect(held.isThere()).toBe(false);
    expect(readdirSync(held.path)).toEqual(['file']);
    held.close();
    held.close();
    expect(statusIn(join(folder, 'etc'))).toBeUndefined();
    expect(statusIn(join(`${folder}-moved`, 'file'))?.isFile()).toBe(true);
  });

  it('is no link, no file and not missing, and leaves no descriptor open', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(folder, join(folder, 'link'));
    const open = readdirSync('/proc/self/fd').length;
    for (const name of ['file', 'link', 'none'])
      expect(() => holdFolder(join(folder, name))).toThrow(/ENO(?:TDIR|ENT)/);
    expect(inFolder(folder, (direct) => readdirSync(direct))).toEqual(['file', 'link']);
    expect(readdirSync('/proc/self/fd')).toHaveLength(open);
  });
});
