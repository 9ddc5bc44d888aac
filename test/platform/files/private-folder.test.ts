import { chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkEndpointFolder,
  ensurePrivateFolder,
  unusableFolder,
} from '../../../platform/files/private-folder.ts';
import { temporaryFolder, uid } from '../../helpers/sockets.ts';

const isRoot = uid === 0;

function refusal(...words: string[]): unknown {
  const message = expect.stringMatching(new RegExp(words.map((word) => `(?=[^]*${word})`).join('')));
  return expect.objectContaining({ code: 'FOOTBRIDGE_ENDPOINT_FOLDER', message });
}

function folderOfMode(mode: number): string {
  const folder = join(temporaryFolder(), 'run');
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

describe('checkEndpointFolder', () => {
  it.each([
    [0o700, 'private'],
    [0o500, 'private'],
    [0o755, 'shared'],
    [0o711, 'shared'],
  ])('accepts our own folder of mode %o as %s', (mode, privacy) => {
    expect(checkEndpointFolder(folderOfMode(mode), uid)).toEqual({ privacy });
  });

  it.each([0o777, 0o770, 0o775, 0o702])(
    'refuses our own folder of mode %o, and names the chmod that fixes it',
    (mode) => {
      const folder = folderOfMode(mode);
      expect(() => checkEndpointFolder(folder, uid)).toThrow(
        refusal(mode.toString(8).padStart(4, '0'), `chmod 0700 ${folder}`),
      );
    },
  );

  it('refuses a folder of another user', () => {
    const folder = folderOfMode(0o700);
    expect(() => checkEndpointFolder(folder, uid + 1)).toThrow(
      refusal(`belongs to uid ${uid}`, 'mode 0700', `we are uid ${uid + 1}`),
    );
  });

  it('names the environment only for the folder that comes from it', () => {
    const folder = folderOfMode(0o700);
    expect(() => checkEndpointFolder(folder, uid + 1)).toThrow(
      'Point XDG_RUNTIME_DIR at a folder of your own',
    );
    expect(() => checkEndpointFolder(folder, uid + 1, 'chosen')).toThrow(
      'Choose a path in a folder of your own with mode 0700',
    );
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    for (const mode of [0o500, 0o700]) {
      const text = (source?: 'chosen') => unusableFolder(folderOfMode(mode), denied, source).message;
      expect(text()).toContain('or point XDG_RUNTIME_DIR at another folder');
      expect(text('chosen')).toContain('or choose a path in a folder of your own');
    }
  });

  it.skipIf(!isRoot)('accepts a sticky folder of root as shared (needs root)', () => {
    expect(checkEndpointFolder(folderOfMode(0o1777), 1000)).toEqual({ privacy: 'shared' });
    expect(checkEndpointFolder(folderOfMode(0o1777), 0)).toEqual({ privacy: 'shared' });
  });

  it.skipIf(!isRoot)('refuses a folder of root without the sticky bit (needs root)', () => {
    expect(() => checkEndpointFolder(folderOfMode(0o777), 1000)).toThrow(refusal('0777', 'uid 0'));
  });

  it.skipIf(!isRoot)('refuses a sticky folder that root does not own (needs root)', () => {
    const folder = folderOfMode(0o1777);
    chownSync(folder, 1001, 1001);
    chmodSync(folder, 0o1777);
    expect(() => checkEndpointFolder(folder, 1000)).toThrow(refusal('1777', 'uid 1001'));
    expect(() => checkEndpointFolder(folder, 1001)).toThrow(refusal('1777', 'chmod'));
  });

  it('refuses a symbolic link in any spelling', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'real'), { mode: 0o700 });
    mkdirSync(join(folder, 'real', 'below'), { mode: 0o700 });
    symlinkSync('real/below', join(folder, 'link'));
    for (const spelling of ['link', 'link/', 'link/.', 'link//', 'link/..']) {
      expect(() => checkEndpointFolder(`${folder}/${spelling}`, uid)).toThrow(refusal('symbolic link'));
    }
    expect(checkEndpointFolder(`${folder}/real/`, uid)).toEqual({ privacy: 'private' });
  });

  it('refuses a missing path and a file', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => checkEndpointFolder(join(folder, 'none'), uid)).toThrow(refusal('does not exist'));
    expect(() => checkEndpointFolder(join(folder, 'file'), uid)).toThrow(refusal('not a folder'));
  });
});

describe('ensurePrivateFolder', () => {
  it('creates the folder with mode 0700 whatever the umask, and reuses an existing one', () => {
    const folder = temporaryFolder();
    const previous = process.umask(0o277);
    try {
      expect(ensurePrivateFolder(folder, uid)).toBe(join(folder, `footbridge-${uid}`));
    } finally {
      process.umask(previous);
    }
    expect(lstatSync(join(folder, `footbridge-${uid}`)).mode & 0o7777).toBe(0o700);
    writeFileSync(join(folder, `footbridge-${uid}`, 'kept'), 'x');
    ensurePrivateFolder(folder, uid);
    expect(lstatSync(join(folder, `footbridge-${uid}`, 'kept')).size).toBe(1);
  });

  it.each([0o755, 0o777, 0o500])('repairs our own folder of mode %o', (mode) => {
    const folder = temporaryFolder();
    const own = ensurePrivateFolder(folder, uid);
    chmodSync(own, mode);
    ensurePrivateFolder(folder, uid);
    expect(lstatSync(own).mode & 0o7777).toBe(0o700);
  });

  it('refuses a link and leaves its target alone', () => {
    const folder = temporaryFolder();
    const target = join(folder, 'target');
    mkdirSync(target);
    chmodSync(target, 0o755);
    symlinkSync(target, join(folder, `footbridge-${uid}`));
    expect(() => ensurePrivateFolder(folder, uid)).toThrow(refusal('symbolic link'));
    expect(lstatSync(target).mode & 0o7777).toBe(0o755);
  });

  it('refuses a file and a folder of another user', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, `footbridge-${uid}`), '');
    expect(() => ensurePrivateFolder(folder, uid)).toThrow(refusal('not a folder'));
    mkdirSync(join(folder, `footbridge-${uid + 1}`), { mode: 0o700 });
    expect(() => ensurePrivateFolder(folder, uid + 1)).toThrow(refusal(`belongs to uid ${uid}`));
  });

  it('reports why the folder cannot be created', () => {
    expect(() => ensurePrivateFolder(join(temporaryFolder(), 'none'), uid)).toThrow(refusal('ENOENT'));
  });
});
