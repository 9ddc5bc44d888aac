import { expect, it } from 'vitest';
import { readEndpoints } from '../../../src/daemon/config/endpoints.ts';

const place = { os: 'linux', env: { XDG_RUNTIME_DIR: '/run/user/7' } } as const;
const read = (...tables: unknown[]) => readEndpoints(tables, 'FILE', place);

it('readEndpoints finds the paths of presets, and defaults to presence', () => {
  expect(
    read(
      { preset: 'flatpak' },
      { preset: 'snap', client: 'vesktop', name: 'other', rights: 'full' },
      { path: '/srv/x/discord-ipc-0', rights: ['presence', 'rpc'], limits: { connections: 4 } },
    ),
  ).toEqual([
    {
      name: 'flatpak',
      preset: 'flatpak',
      paths: [
        '/run/user/7/app/com.discordapp.Discord/discord-ipc-0',
        '/run/user/7/.flatpak/com.discordapp.Discord/xdg-run/discord-ipc-0',
      ],
      rights: 'presence',
      limits: {},
    },
    {
      name: 'other',
      preset: 'snap',
      paths: ['/run/user/7/snap.vesktop/discord-ipc-0'],
      rights: 'full',
      limits: {},
    },
    {
      name: 'path',
      preset: 'path',
      paths: ['/srv/x/discord-ipc-0'],
      rights: ['presence', 'rpc'],
      limits: { connections: 4 },
    },
  ]);
});

it.each([
  [[7], 'endpoints 1: a table is expected'],
  [[{}], 'give preset = "flatpak"'],
  [[{ pth: '/x/y' }], 'Did you mean "path"?'],
  [[{ preset: 'docker' }], '"docker" is not "flatpak", "snap" or "path"'],
  [[{ preset: 'flatpak', path: '/x/y' }], 'Remove one of the two'],
  [[{ preset: 'flatpak', client: '../../x' }], 'client: "../../x" is not the id'],
  [[{ path: '/x/y', client: 'a' }], 'client: a path has none'],
  [[{ path: '/x/y', name: 'a b' }], 'name: "a b" is not'],
  [[{ path: 'x/y' }], 'path: "x/y" is not the absolute path'],
  [[{ path: '/x/../y' }], 'without "//", "." and ".."'],
  [[{ path: '/x/' }], 'path: "/x/" is not'],
  [[{ path: 7 }], 'path: 7 is not a text'],
  [[{ path: 'C:\\x' }], 'is a path of Windows'],
  [[{ path: '\\\\.\\pipe\\x' }], 'is a path of Windows'],
  [[{ path: `/${'a'.repeat(120)}/x` }], 'a socket path holds at most 107. Choose a shorter one.'],
  [[{ path: '/x/y' }, { path: '/x/y', name: 'b' }], '"path" and "b" have one path, /x/y'],
  [[{ path: '/x/y' }, { path: '/x/z' }], 'two have the name "path"'],
  [[{ path: '/run/user/7/discord-ipc-3' }], "the path of the bridge's own endpoint"],
  [[{ path: '/x/y', rights: 'all' }], 'rights: "all" is not "full", "presence" or a list'],
  [[{ path: '/x/y', rights: ['rpc', 'rpc.nothing'] }], 'there is no scope, command or event "rpc.nothing"'],
  [[{ path: '/x/y', rights: [] }], 'rights: [] is not'],
  [[{ path: '/x/y', rights: ['GET_GUILDS'] }], 'rights: GET_GUILDS needs the scope rpc'],
  ...[7, 'many', [1]].map(
    (limits) =>
      [[{ path: '/x/y', limits }], 'limits: a table such as { connections = 16 } is expected'] as [
        object[],
        string,
      ],
  ),
  [[{ path: '/x/y', limits: { conections: 1 } }], 'limits.conections: an endpoint has no such limit'],
  [[{ path: '/x/y', limits: { connections: 0 } }], 'limits.connections: 0 is not a whole number from 1'],
  [Array.from({ length: 33 }, (_, at) => ({ path: `/x/${at}`, name: `${at}` })), 'at most 32 are served'],
])('readEndpoints refuses %j in one line', (tables, text) => {
  let message = '';
  try {
    read(...tables);
  } catch (error) {
    ({ message } = error as Error);
    expect(error).toMatchObject({ code: 'FOOTBRIDGE_CONFIG' });
  }
  expect(message).toContain(text);
  expect(message).toMatch(/^FILE: [^\n]+[.?]$/);
});

it('readEndpoints refuses presets elsewhere than on Linux, and takes the name of a pipe on Windows', () => {
  const windows = { os: 'win32', env: {} } as const;
  expect(readEndpoints([{ path: '\\\\.\\pipe\\x' }], 'FILE', windows)).toMatchObject([
    { paths: ['\\\\.\\pipe\\x'] },
  ]);
  expect(() => readEndpoints([{ path: '/x/y' }], 'FILE', windows)).toThrow('name of a pipe');
  expect(() => readEndpoints([{ preset: 'snap' }], 'FILE', { os: 'darwin', env: {} })).toThrow(
    'only on Linux',
  );
  expect(() => readEndpoints({}, 'FILE', place)).toThrow('[[endpoints]] are expected');
});
