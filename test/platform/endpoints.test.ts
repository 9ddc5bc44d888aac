import { describe, expect, it } from 'vitest';
import {
  checkPathLength,
  ENDPOINT_INDEXES,
  EndpointError,
  type Environment,
  endpointFolder,
  endpointPath,
  isTrustedOwner,
  type OsName,
  searchFolders,
} from '../../platform/endpoints.ts';

describe('endpointFolder', () => {
  const table: [name: string, os: OsName, env: Environment, folder: string, source: string][] = [
    ['the runtime folder first', 'linux', { XDG_RUNTIME_DIR: '/r', TMPDIR: '/t' }, '/r', 'XDG_RUNTIME_DIR'],
    ['then TMPDIR', 'linux', { TMPDIR: '/t', TMP: '/u', TEMP: '/v' }, '/t', 'TMPDIR'],
    ['then TMP', 'linux', { TMP: '/u', TEMP: '/v' }, '/u', 'TMP'],
    ['then TEMP', 'linux', { TEMP: '/v' }, '/v', 'TEMP'],
    ['then /tmp', 'linux', {}, '/tmp', 'default'],
    ['an empty value as unset', 'linux', { XDG_RUNTIME_DIR: '', TMPDIR: '/t' }, '/t', 'TMPDIR'],
    ['the same order on macOS', 'darwin', { TMPDIR: '/var/folders/x/T/' }, '/var/folders/x/T', 'TMPDIR'],
    ['every trailing slash stripped', 'linux', { XDG_RUNTIME_DIR: '/r///' }, '/r', 'XDG_RUNTIME_DIR'],
    ['the root folder kept', 'linux', { TMPDIR: '//' }, '/', 'TMPDIR'],
    ['pipes whatever is set', 'win32', { XDG_RUNTIME_DIR: 'relative' }, '\\\\?\\pipe', 'default'],
  ];
  it.each(table)('takes %s', (_name, os, env, folder, source) => {
    expect(endpointFolder(os, env)).toEqual({ folder, source });
  });

  it.each(['run/user/1000', './r', '~/r', 'C:\\r'])('refuses the relative value %j', (value) => {
    expect(() => endpointFolder('linux', { XDG_RUNTIME_DIR: value, TMPDIR: '/t' })).toThrow(
      expect.objectContaining({
        code: 'FOOTBRIDGE_ENVIRONMENT',
        message: expect.stringContaining(`XDG_RUNTIME_DIR is ${JSON.stringify(value)}`),
      }),
    );
  });

  it('does not look at a variable that does not decide', () => {
    expect(endpointFolder('linux', { XDG_RUNTIME_DIR: '/r', TMPDIR: 'relative' }).folder).toBe('/r');
  });
});

describe('endpointPath', () => {
  it('W-6: names the ten indexes', () => {
    expect(ENDPOINT_INDEXES.map((index) => endpointPath('linux', '/r/', index))).toEqual(
      Array.from({ length: 10 }, (_, index) => `/r/discord-ipc-${index}`),
    );
  });
  it('W-6: names the pipe', () => {
    expect(endpointPath('win32', '\\\\?\\pipe', 3)).toBe('\\\\?\\pipe\\discord-ipc-3');
    expect(endpointPath('win32', '\\\\?\\pipe\\', 3)).toBe('\\\\?\\pipe\\discord-ipc-3');
  });
  it('has one slash below the root folder', () => {
    expect(endpointPath('linux', '/', 0)).toBe('/discord-ipc-0');
  });
});

describe('checkPathLength', () => {
  it.each([
    ['linux', 107],
    ['darwin', 103],
    ['win32', 256],
  ] as const)('allows %s %i and not one more', (os, limit) => {
    expect(() => checkPathLength(os, 'x'.repeat(limit))).not.toThrow();
    expect(() => checkPathLength(os, 'x'.repeat(limit + 1))).toThrow(EndpointError);
    expect(() => checkPathLength(os, 'x'.repeat(limit + 1))).toThrow(
      expect.objectContaining({ code: 'FOOTBRIDGE_PATH_TOO_LONG' }),
    );
  });
  it('counts bytes for a socket address and characters for a pipe', () => {
    expect(() => checkPathLength('linux', 'ü'.repeat(54))).toThrow('108 bytes long');
    expect(() => checkPathLength('win32', 'ü'.repeat(200))).not.toThrow();
  });
});

describe('searchFolders', () => {
  it('lists base folders, then the packaged ones below the runtime folder', () => {
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: '/run/user/7/', TMPDIR: '/t', TEMP: '/t/' })).toEqual([
      '/run/user/7',
      '/t',
      '/tmp',
      '/run/user/7/app/com.discordapp.Discord',
      '/run/user/7/app/com.discordapp.DiscordCanary',
      '/run/user/7/app/com.discordapp.DiscordPTB',
      '/run/user/7/app/dev.vencord.Vesktop',
      '/run/user/7/.flatpak/com.discordapp.Discord/xdg-run',
      '/run/user/7/.flatpak/dev.vencord.Vesktop/xdg-run',
      '/run/user/7/snap.discord',
      '/run/user/7/snap.discord-canary',
    ]);
  });
  it('finds the login folder of a caller without XDG_RUNTIME_DIR', () => {
    const folders = searchFolders('linux', {}, 7);
    expect(folders.slice(0, 2)).toEqual(['/run/user/7', '/tmp']);
    expect(folders).toContain('/run/user/7/snap.discord');
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: '/run/user/7' }, 7)).toEqual(folders);
  });
  it('looks beside the folder of a program inside a snap', () => {
    const folders = searchFolders('linux', { XDG_RUNTIME_DIR: '/run/user/7/snap.game' });
    expect(folders.slice(0, 3)).toEqual(['/run/user/7/snap.game', '/run/user/7', '/tmp']);
    expect(folders).toContain('/run/user/7/snap.discord');
  });
  it('leaves relative values out', () => {
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: 'r', TMP: 't' })).toEqual(['/tmp']);
  });
  it('has no packaged folders on macOS, and the pipes on Windows', () => {
    expect(searchFolders('darwin', { TMPDIR: '/t/' }, 7)).toEqual(['/t', '/tmp']);
    expect(searchFolders('win32', { TMP: '/t' })).toEqual(['\\\\?\\pipe']);
  });
});

it.each([
  ['their own', 1000, 1000, true],
  ["root's", 0, 1000, true],
  ["somebody else's", 1001, 1000, false],
  ['to root, nothing of others', 1000, 0, false],
  ['nothing without a user', 1000, undefined, false],
])('a user trusts %s', (_what, owner, uid, trusted) => {
  expect(isTrustedOwner(owner, uid)).toBe(trusted);
});
