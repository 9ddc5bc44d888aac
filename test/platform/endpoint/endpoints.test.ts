import { describe, expect, it } from 'vitest';
import {
  bridgeEndpoints,
  bridgeFolders,
  checkPathLength,
  ENDPOINT_INDEXES,
  EndpointError,
  type Environment,
  endpointFolder,
  endpointPath,
  isTrustedOwner,
  type OsName,
  searchFolders,
  sessionEnvironment,
} from '../../../platform/endpoint/endpoints.ts';

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
  it.each(table)('resolves the folder: %s', (_name, os, env, folder, source) => {
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

  it.each([
    ['/run/user/7/snap.code', { folder: '/run/user/7', source: 'XDG_RUNTIME_DIR', snap: 'code' }],
    ['/run/user/7/snap.code_beta/', { folder: '/run/user/7', source: 'XDG_RUNTIME_DIR', snap: 'code_beta' }],
    ['/root/run/user/7/snap.code', { folder: '/root/run/user/7', source: 'XDG_RUNTIME_DIR', snap: 'code' }],
    ['/tmp/snap.a1B2c3', { folder: '/tmp/snap.a1B2c3', source: 'XDG_RUNTIME_DIR' }],
    ['/run/user/snap.code', { folder: '/run/user/snap.code', source: 'XDG_RUNTIME_DIR' }],
    ['/run/user/7/snap.', { folder: '/run/user/7/snap.', source: 'XDG_RUNTIME_DIR' }],
    ['/snap.code', { folder: '/snap.code', source: 'XDG_RUNTIME_DIR' }],
    ['/run/user/7/snap.code/x', { folder: '/run/user/7/snap.code/x', source: 'XDG_RUNTIME_DIR' }],
  ])('returns the folder of the session for the runtime folder of a snap: %s', (value, expected) => {
    expect(endpointFolder('linux', { XDG_RUNTIME_DIR: value })).toEqual(expected);
  });

  it('recognises snaps only in XDG_RUNTIME_DIR, and none on macOS', () => {
    expect(endpointFolder('linux', { TMPDIR: '/t/snap.code' })).toEqual({
      folder: '/t/snap.code',
      source: 'TMPDIR',
    });
    expect(endpointFolder('darwin', { XDG_RUNTIME_DIR: '/run/user/7/snap.code' }).folder).toBe(
      '/run/user/7/snap.code',
    );
  });

  it('ignores a variable that does not decide', () => {
    expect(endpointFolder('linux', { XDG_RUNTIME_DIR: '/r', TMPDIR: 'relative' }).folder).toBe('/r');
  });
});

describe('bridgeFolders', () => {
  it.each<[string, OsName, Environment, string[]]>([
    ['the folder of the environment', 'linux', { XDG_RUNTIME_DIR: '/r', TMPDIR: '/t' }, ['/r']],
    [
      'the folder around that of a snap',
      'linux',
      { XDG_RUNTIME_DIR: '/run/user/7/snap.code' },
      ['/run/user/7'],
    ],
    [
      "the login session's after its own without XDG_RUNTIME_DIR",
      'linux',
      { TMPDIR: '/t' },
      ['/t', '/run/user/7'],
    ],
    ['each folder once', 'linux', { TMPDIR: '/run/user/7' }, ['/run/user/7']],
    ['one folder on macOS', 'darwin', { TMPDIR: '/t' }, ['/t']],
    ['the pipes on Windows', 'win32', {}, ['\\\\?\\pipe']],
  ])('returns %s', (_what, os, env, folders) => {
    expect(bridgeFolders(os, env, os === 'win32' ? undefined : 7)).toEqual(folders);
    const all = searchFolders(os, env, os === 'win32' ? undefined : 7);
    expect(all).toEqual(expect.arrayContaining(folders));
    if (os !== 'win32') expect(folders[0]).toBe(endpointFolder(os, env).folder);
  });

  it('returns folders with ten endpoints each, and a path too long for an address is refused', () => {
    expect(bridgeEndpoints('linux', { XDG_RUNTIME_DIR: '/run/user/7/snap.code' }, 7)).toEqual(
      ENDPOINT_INDEXES.map((index) => `/run/user/7/discord-ipc-${index}`),
    );
    expect(() => bridgeEndpoints('linux', { XDG_RUNTIME_DIR: `/${'x'.repeat(100)}` }, 7)).toThrow(
      EndpointError,
    );
  });
});

it('sessionEnvironment replaces the runtime folder of a snap with the folder of the session', () => {
  expect(sessionEnvironment({ A: '1', XDG_RUNTIME_DIR: '/run/user/7/snap.code/' })).toEqual({
    A: '1',
    XDG_RUNTIME_DIR: '/run/user/7',
  });
  for (const env of [{}, { XDG_RUNTIME_DIR: '' }, { XDG_RUNTIME_DIR: '/r' }])
    expect(sessionEnvironment(env)).toBe(env);
});

describe('endpointPath', () => {
  it('returns the path of each of the ten indexes [W-6]', () => {
    expect(ENDPOINT_INDEXES.map((index) => endpointPath('linux', '/r/', index))).toEqual(
      Array.from({ length: 10 }, (_, index) => `/r/discord-ipc-${index}`),
    );
  });
  it('returns the name of the pipe [W-6]', () => {
    expect(endpointPath('win32', '\\\\?\\pipe', 3)).toBe('\\\\?\\pipe\\discord-ipc-3');
    expect(endpointPath('win32', '\\\\?\\pipe\\', 3)).toBe('\\\\?\\pipe\\discord-ipc-3');
  });
  it('returns a path with one slash below the root folder', () => {
    expect(endpointPath('linux', '/', 0)).toBe('/discord-ipc-0');
  });
});

describe('checkPathLength', () => {
  it.each([
    ['linux', 107],
    ['darwin', 103],
    ['win32', 256],
  ] as const)('on %s accepts a length of %i and rejects a longer path', (os, limit) => {
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
  it('returns the base folders, then the packaged folders below the runtime folder', () => {
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
  it('returns the login folder without XDG_RUNTIME_DIR', () => {
    const folders = searchFolders('linux', {}, 7);
    expect(folders.slice(0, 2)).toEqual(['/run/user/7', '/tmp']);
    expect(folders).toContain('/run/user/7/snap.discord');
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: '/run/user/7' }, 7)).toEqual(folders);
  });
  it('returns the folders beside the folder of a program inside a snap', () => {
    const folders = searchFolders('linux', { XDG_RUNTIME_DIR: '/run/user/7/snap.game' });
    expect(folders.slice(0, 3)).toEqual(['/run/user/7', '/run/user/7/snap.game', '/tmp']);
    expect(folders).toContain('/run/user/7/snap.discord');
  });
  it('omits relative values', () => {
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: 'r', TMP: 't' })).toEqual(['/tmp']);
  });
  it('returns no packaged folders on macOS, and the pipes on Windows', () => {
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
])('isTrustedOwner decides which files a user trusts: %s', (_what, owner, uid, trusted) => {
  expect(isTrustedOwner(owner, uid)).toBe(trusted);
});
