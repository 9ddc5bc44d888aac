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
  ...['app/a.b', '.flatpak/a.b/xdg-run', 'snap.a'].flatMap((sandbox) =>
    ['c/d', 'c/d/e'].map((deep): [object[], string] => [
      [{ path: `/run/user/7/${sandbox}/${deep}/discord-ipc-0` }],
      `two folders deep in that of a sandbox, whose programs could lead the first of them elsewhere. Give a path in /run/user/7/${sandbox} itself,`,
    ]),
  ),
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

it.each([
  [{ path: '/x/.y/z' }],
  [{ path: '/x/y.' }],
  [{ path: '/x/..y' }],
  [{ path: '/run/user/7/other' }],
  [{ path: '/run/user/7/discord-ipc-3x' }],
  [{ path: '/run/user/7/sub/discord-ipc-3' }],
  [{ path: '/run/user/7/app/a.b/c/discord-ipc-0' }],
  [{ path: '/run/user/7/apps/a.b/c/d/discord-ipc-0' }],
  [{ path: '/srv/app/a.b/c/d/discord-ipc-0' }],
  [{ preset: 'path', path: '/x/y' }],
  [{ path: '/x/y', name: 'a'.repeat(32) }],
  [{ path: '/x/y', name: '0.a_b-c' }],
  [{ preset: 'snap', client: 'c'.repeat(30) }],
  [{ path: '/x/y', limits: { connections: 1, frame_bytes: 4096 } }],
])('readEndpoints accepts %j', (table) => {
  expect(read(table)).toHaveLength(1);
});

it('readEndpoints accepts 32 endpoints, and one path in two folders', () => {
  expect(read(...Array.from({ length: 32 }, (_, at) => ({ path: `/x/${at}`, name: `${at}` })))).toHaveLength(
    32,
  );
});

it.each([
  [{ path: '/x/./y' }, 'path: "/x/./y" is not the absolute path of a socket'],
  [{ path: '/x//y' }, 'path: "/x//y" is not'],
  [{ path: '/x/.' }, 'path: "/x/." is not'],
  [{ path: '/x/..' }, 'path: "/x/.." is not'],
  [{ path: '//' }, 'path: "//" is not'],
  [{ path: '/x\0y' }, 'is not the absolute path'],
  [{ path: 'c:/x' }, 'path: "c:/x" is a path of Windows. Give an absolute path of this system.'],
  [{ path: '\\\\?\\pipe\\x' }, 'is a path of Windows'],
  [{ path: '/x/y', name: '' }, 'name: "" is not 1 to 32 letters'],
  [{ path: '/x/y', name: 'a'.repeat(33) }, 'is not 1 to 32 letters'],
  [{ path: '/x/y', name: '-a' }, 'name: "-a" is not'],
  [{ path: '/x/y', name: 7 }, 'name: 7 is not'],
  [{ preset: 'path' }, 'give preset = "flatpak", preset = "snap" or path = "/…/discord-ipc-0"'],
  [{ preset: 7 }, 'preset: 7 is not "flatpak", "snap" or "path"'],
  [{ preset: 'snap', client: 7 }, 'client: 7 is not the id of a program such as "discord"'],
  [
    { preset: 'flatpak', client: '-a' },
    'client: "-a" is not the id of a program such as "com.discordapp.Discord"',
  ],
  [{ preset: 'snap', path: '/x' }, 'path: the preset "snap" has its own paths. Remove one of the two'],
  [{ path: '/x/y', rights: ['x'.repeat(129)] }, 'rights: ["xxx'],
  [
    { path: '/x/y', rights: Array(257).fill('rpc') },
    'is not "full", "presence" or a list of scopes and commands',
  ],
  [{ path: '/x/y', rights: ['nothing'] }, '"footbridge help configuration" tells what may stand there'],
  [{ path: '/x/y', limits: { [`${'x'.repeat(100)}`]: 1 } }, `limits.${'x'.repeat(60)}: an endpoint has no`],
  [{ path: '/x/y', limits: { connections: '1' } }, 'limits.connections: "1" is not'],
  [
    { [`${'x'.repeat(100)}`]: 1 },
    `endpoints 1: ${'x'.repeat(60)}: there is no such key. Known are name, preset, `,
  ],
  [null, 'endpoints 1: a table is expected'],
  [[], 'endpoints 1: a table is expected'],
])('readEndpoints refuses %j', (table, text) => {
  expect(() => read(table)).toThrow(text);
});

it.each(['\\\\.\\pipe\\', '\\\\.\\pipe\\\\x', '\\\\x\\pipe\\y', 'x\\\\.\\pipe\\y', 'C:\\x'])(
  'readEndpoints takes %j for no pipe of Windows',
  (path) => {
    expect(() => readEndpoints([{ path }], 'FILE', { os: 'win32', env: {} })).toThrow(
      'is not the name of a pipe, such as \\\\.\\pipe\\name.',
    );
  },
);

it('readEndpoints takes both spellings of a pipe', () => {
  for (const path of ['\\\\.\\pipe\\x', '\\\\?\\pipe\\x'])
    expect(readEndpoints([{ path }], 'FILE', { os: 'win32', env: {} })[0]?.paths).toEqual([path]);
});
