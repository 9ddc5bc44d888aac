import { describe, expect, it } from 'vitest';
import {
  checkPathLength,
  ENDPOINT_INDEXES,
  EndpointError,
  type Environment,
  endpointFolder,
  endpointPath,
  isTrustedOwner,
  namedEndpoint,
  type OsName,
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

describe('namedEndpoint', () => {
  const named = (os: OsName, path: string | undefined) => namedEndpoint(os, { FOOTBRIDGE_ENDPOINT: path });

  it.each<[OsName, string]>([
    ['linux', '/run/user/7/discord-ipc-0'],
    ['darwin', '/any where/"x"\n$y'],
    ['win32', '\\\\.\\pipe\\discord-ipc-0'],
    ['win32', '\\\\?\\pipe\\any'],
    ['win32', '//./pipe/discord-ipc-0'],
  ])('returns the path on %s: %j', (os, path) => {
    expect(named(os, path)).toBe(path);
  });
  it.each([undefined, ''])('returns nothing for %j', (path) => {
    expect(named('linux', path)).toBeUndefined();
  });
  it.each<[OsName, string, string]>([
    ['linux', 'discord-ipc-0', 'is "discord-ipc-0", which is not the absolute path of a socket'],
    ['linux', '/run/user/7/', 'is "/run/user/7/", which is not the absolute path of a socket'],
    ['linux', '/', 'which is not the absolute path of a socket'],
    ['linux', '\\\\.\\pipe\\discord-ipc-0', 'which is not the absolute path of a socket'],
    ['win32', '/run/user/7/discord-ipc-0', 'which is not the name of a pipe'],
    ['win32', '\\\\.\\pipe\\', 'which is not the name of a pipe'],
    ['win32', 'C:\\discord-ipc-0', 'such as \\\\?\\pipe\\discord-ipc-0, or unset it'],
  ])('on %s names the variable and the fault of %j', (os, path, text) => {
    expect(() => named(os, path)).toThrow(
      expect.objectContaining({
        code: 'FOOTBRIDGE_ENVIRONMENT',
        message: expect.stringMatching(/^FOOTBRIDGE_ENDPOINT is ".*unset it\.$/) as string,
      }),
    );
    expect(() => named(os, path)).toThrow(text);
  });
  it('refuses a path that is too long, with the variable as the remedy', () => {
    expect(() => named('linux', `/${'x'.repeat(107)}`)).toThrow(
      'a socket path holds at most 107. Set FOOTBRIDGE_ENDPOINT to a shorter path, or unset it.',
    );
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
