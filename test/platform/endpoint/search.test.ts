import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  EndpointError,
  type Environment,
  endpointFolder,
  type OsName,
} from '../../../platform/endpoint/endpoints.ts';
import {
  bridgeFolderOf,
  bridgeFolders,
  darwinTemporaryFolder,
  endpointBehind,
  sandboxEndpoints,
  sandboxFolders,
  searchEndpoints,
  searchFolders,
  usableEndpoint,
} from '../../../platform/endpoint/search.ts';
import { listenOn, temporaryFolder, uid } from '../../helpers/sockets.ts';

const USUAL = '/var/folders/zz/zyxw0000/T';
const usual = () => `${USUAL}/`;
const never = (): string | undefined => {
  throw new Error('asked for the folder of temporary files');
};

/** A runtime folder with these folders in it. */
function runtimeWith(...names: readonly string[]): string {
  const folder = temporaryFolder();
  for (const name of names) mkdirSync(join(folder, name), { recursive: true });
  return folder;
}

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
    [
      "the login session's after that of WSLg",
      'linux',
      { XDG_RUNTIME_DIR: '/mnt/wslg/runtime-dir/' },
      ['/mnt/wslg/runtime-dir', '/run/user/7'],
    ],
    ['each folder once', 'linux', { TMPDIR: '/run/user/7' }, ['/run/user/7']],
    ['the folder of macOS after another TMPDIR', 'darwin', { TMPDIR: '/t' }, ['/t', USUAL]],
    ['the folder of macOS after /tmp without TMPDIR', 'darwin', {}, ['/tmp', USUAL]],
    ['one folder on macOS with XDG_RUNTIME_DIR', 'darwin', { XDG_RUNTIME_DIR: '/r', TMPDIR: '/t' }, ['/r']],
    ['the pipes on Windows', 'win32', {}, ['\\\\?\\pipe']],
  ])('returns %s', (_what, os, env, folders) => {
    const own = os === 'win32' ? undefined : 7;
    expect(bridgeFolders(os, env, own, usual)).toEqual(folders);
    expect(searchFolders(os, env, own, usual).slice(0, folders.length)).toEqual(folders);
    if (os !== 'win32') expect(folders[0]).toBe(endpointFolder(os, env).folder);
  });

  it.each([USUAL, `${USUAL}/`, `/private${USUAL}`])(
    'asks macOS for no folder where TMPDIR is %s, as the desktop sets it',
    (TMPDIR) => {
      expect(bridgeFolders('darwin', { TMPDIR }, 7, never)).toEqual([TMPDIR.replace(/\/$/, '')]);
    },
  );
  it('returns the folder of the environment alone where macOS does not answer', () => {
    expect(bridgeFolders('darwin', { TMPDIR: '/t' }, 7, () => undefined)).toEqual(['/t']);
  });
});

describe('darwinTemporaryFolder', () => {
  function program(script: string): string {
    const path = join(temporaryFolder(), 'getconf');
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }
  const skipIfWindows = it.skipIf(process.platform === 'win32');

  skipIfWindows('returns the answer of getconf', () => {
    expect(darwinTemporaryFolder(program(`[ "$*" = DARWIN_USER_TEMP_DIR ] && echo '${USUAL}/'`))).toBe(
      `${USUAL}/`,
    );
  });
  skipIfWindows.each([
    'exit 1',
    `echo '${USUAL}/'; exit 2`,
    'echo undefined',
    'printf "/a\\n/b\\n"',
    'yes /a',
    'exec sleep 60',
    'kill -9 $$',
  ])('returns undefined for a getconf that runs: %s', (script) => {
    expect(darwinTemporaryFolder(program(script))).toBeUndefined();
  });
  it('returns undefined without getconf', () => {
    expect(darwinTemporaryFolder('/nowhere/getconf')).toBeUndefined();
  });
});

describe('searchFolders', () => {
  it('returns the base folders, then the sandbox folders that exist, those of chat clients first', () => {
    const folder = runtimeWith(
      'app/org.a.App',
      'app/dev.vencord.Vesktop',
      'app/com.discordapp.Discord',
      '.flatpak/org.b.App/xdg-run',
      '.flatpak/com.discordapp.DiscordPTB/xdg-run',
      '.flatpak/4711',
      'snap.firefox',
      'snap.discord-canary',
      'other.discord',
    );
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: `${folder}/`, TMPDIR: '/t', TEMP: '/t/' }, uid)).toEqual(
      [
        folder,
        '/t',
        '/tmp',
        `${folder}/app/com.discordapp.Discord`,
        `${folder}/app/dev.vencord.Vesktop`,
        `${folder}/.flatpak/com.discordapp.DiscordPTB/xdg-run`,
        `${folder}/snap.discord-canary`,
        `${folder}/app/org.a.App`,
        `${folder}/.flatpak/org.b.App/xdg-run`,
        `${folder}/snap.firefox`,
      ],
    );
  });
  it('returns the login folder without XDG_RUNTIME_DIR', () => {
    expect(searchFolders('linux', {}, 4_294_967_294)).toEqual(['/tmp', '/run/user/4294967294']);
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: '/r' }, 4_294_967_294)).toEqual(['/r', '/tmp']);
  });
  it('returns the folders beside the folder of a program inside a snap', () => {
    const folder = runtimeWith('run/user/7/snap.game', 'run/user/7/snap.discord');
    const session = `${folder}/run/user/7`;
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: `${session}/snap.game` }, uid)).toEqual([
      session,
      `${session}/snap.game`,
      '/tmp',
      `${session}/snap.discord`,
    ]);
  });
  it('omits relative values', () => {
    expect(searchFolders('linux', { XDG_RUNTIME_DIR: 'r', TMP: 't' })).toEqual(['/tmp']);
  });
  it('returns no sandbox folders on macOS, and the pipes on Windows', () => {
    const folder = runtimeWith('app/com.discordapp.Discord');
    expect(searchFolders('darwin', { TMPDIR: `${folder}/` }, uid, usual)).toEqual([folder, USUAL, '/tmp']);
    expect(searchFolders('darwin', { XDG_RUNTIME_DIR: folder, TMPDIR: '/t' }, uid, usual)).toEqual([
      folder,
      '/t',
      USUAL,
      '/tmp',
    ]);
    expect(searchFolders('darwin', { XDG_RUNTIME_DIR: folder, TMPDIR: USUAL }, uid, never)).toEqual([
      folder,
      USUAL,
      '/tmp',
    ]);
    expect(searchFolders('win32', { TMP: '/t' })).toEqual(['\\\\?\\pipe']);
  });
});

describe.skipIf(process.platform === 'win32')('sandboxFolders', () => {
  const folders = (folder: string, owner = uid) =>
    sandboxFolders('linux', folder, owner).map((path) => path.slice(folder.length + 1));

  it('returns nothing for a folder that is missing, empty or a file', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    writeFileSync(join(folder, 'app'), '');
    execFileSync('mkfifo', [join(folder, '.flatpak'), join(folder, 'snap.fifo')]);
    for (const path of [folder, join(folder, 'file'), join(folder, 'nowhere')])
      expect(folders(path)).toEqual([]);
  });
  it('follows no link', () => {
    const outside = runtimeWith('Discord/xdg-run');
    const folder = runtimeWith('app', '.flatpak/io.discord.A', 'snap.discord-a');
    symlinkSync(join(outside, 'Discord'), join(folder, 'app/com.discordapp.Discord'));
    symlinkSync(join(outside, 'Discord'), join(folder, '.flatpak/com.discordapp.Discord'));
    symlinkSync(join(outside, 'Discord/xdg-run'), join(folder, '.flatpak/io.discord.A/xdg-run'));
    symlinkSync(outside, join(folder, 'snap.discord'));
    expect(folders(folder)).toEqual(['snap.discord-a']);
    const linked = temporaryFolder();
    symlinkSync(outside, join(linked, 'app'));
    expect(folders(linked)).toEqual([]);
  });
  it('returns a limited number of folders', () => {
    const many = Array.from({ length: 70 }, (_, n) => `app/io.example.App${n}`);
    const found = folders(runtimeWith('app/com.discordapp.Discord', 'snap.discord', ...many));
    expect(found).toHaveLength(64);
    expect(found).toContain('snap.discord');
  });
  it.skipIf(uid !== 0)('returns only folders of the user and of root (needs root)', () => {
    const folder = runtimeWith('app/org.a.A', 'app/org.b.B', 'snap.c', '.flatpak/org.d.D/xdg-run');
    chownSync(join(folder, 'app/org.a.A'), 12_345, 12_345);
    chownSync(join(folder, 'snap.c'), 54_321, 54_321);
    chownSync(join(folder, '.flatpak/org.d.D'), 54_321, 54_321);
    expect(folders(folder)).toEqual(['app/org.b.B']);
    expect(folders(folder, 12_345)).toEqual(['app/org.a.A', 'app/org.b.B']);
    chownSync(join(folder, 'app'), 54_321, 54_321);
    expect(folders(folder)).toEqual([]);
    lchownSync(join(folder, 'app'), 0, 0);
    expect(folders(folder)).toEqual(['app/org.b.B']);
  });
  it('leaves out links at the paths of endpoints', () => {
    const folder = runtimeWith('snap.discord');
    symlinkSync('/run/nowhere', join(folder, 'snap.discord/discord-ipc-0'));
    expect([...sandboxEndpoints('linux', folder, uid)].slice(0, 2)).toEqual([
      `${folder}/snap.discord/discord-ipc-1`,
      `${folder}/snap.discord/discord-ipc-2`,
    ]);
  });
});

describe('endpointBehind', () => {
  it('follows the links of the user, and none in the folder of a sandbox', () => {
    const folder = runtimeWith('app/org.a.A', '.flatpak/org.a.A/xdg-run', 'snap.a');
    for (const inside of ['app/org.a.A', '.flatpak/org.a.A/xdg-run', 'snap.a']) {
      const own = join(folder, inside, 'discord-ipc-0');
      symlinkSync('/run/nowhere', own);
      const name = inside.replaceAll('/', '-');
      symlinkSync(own, join(folder, `to-${name}`));
      symlinkSync(`./to-${name}`, join(folder, `again-${name}`));
      expect(endpointBehind(own)).toBe(own);
      expect(endpointBehind(join(folder, `again-${name}`))).toBe(own);
    }
  });
  it('returns a path without a link as it is, and ends in a circle of links', () => {
    const folder = runtimeWith();
    for (const path of [folder, join(folder, 'missing'), 'relative', '\\\\?\\pipe\\discord-ipc-0'])
      expect(endpointBehind(path)).toBe(path);
    symlinkSync('loop', join(folder, 'loop'));
    expect(endpointBehind(join(folder, 'loop'))).toBe(join(folder, 'loop'));
  });
});

describe('searchEndpoints', () => {
  it('yields ten paths per folder, and reads no folder of a sandbox before its turn', () => {
    const folder = runtimeWith();
    const paths = searchEndpoints('linux', { XDG_RUNTIME_DIR: folder }, uid)[Symbol.iterator]();
    expect(paths.next().value).toBe(`${folder}/discord-ipc-0`);
    mkdirSync(join(folder, 'snap.late'));
    const rest = [...paths];
    expect(rest[8]).toBe(`${folder}/discord-ipc-9`);
    expect(rest).toContain(`${folder}/snap.late/discord-ipc-9`);
    expect(new Set(rest).size).toBe(rest.length);
  });
  it('yields the first folders of macOS without asking for another', () => {
    const paths = searchEndpoints('darwin', { TMPDIR: '/t' }, 7, never)[Symbol.iterator]();
    for (let index = 0; index < 10; index += 1) expect(paths.next().value).toBe(`/t/discord-ipc-${index}`);
    expect(() => paths.next()).toThrow('asked for');
  });
  it('yields the path in FOOTBRIDGE_ENDPOINT alone, as it is', () => {
    const env = { XDG_RUNTIME_DIR: '/r', TMPDIR: '/t' };
    for (const path of ['/x/discord-ipc-7', 'relative'])
      expect([...searchEndpoints('linux', { ...env, FOOTBRIDGE_ENDPOINT: path }, 7)]).toEqual([path]);
    expect([...searchEndpoints('linux', { ...env, FOOTBRIDGE_ENDPOINT: '' }, 7)]).toHaveLength(30);
  });
});

it.each([
  ['/run/user/7/discord-ipc-3', '/run/user/7'],
  ['/run/user/7/app/com.discordapp.Discord/discord-ipc-0', '/run/user/7'],
  ['/run/user/7/.flatpak/org.a.A/xdg-run/discord-ipc-0', '/run/user/7'],
  ['/run/user/7/snap.any/discord-ipc-0', '/run/user/7'],
  ['/srv/apps/x/discord-ipc-0', '/srv/apps/x'],
  ['/discord-ipc-0', '/'],
])('bridgeFolderOf(%j) is %j', (endpoint, folder) => {
  expect(bridgeFolderOf(endpoint)).toBe(folder);
});

describe.skipIf(process.platform === 'win32')('usableEndpoint', () => {
  const usable = (path: string) => usableEndpoint('linux', { FOOTBRIDGE_ENDPOINT: path });

  it('returns the path of a socket, and one where nothing is yet', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'any');
    await listenOn({ path });
    symlinkSync(path, join(folder, 'link'));
    for (const name of ['any', 'link', 'none', 'none/any'])
      expect(usable(join(folder, name))).toBe(join(folder, name));
    expect(usableEndpoint('linux', {})).toBeUndefined();
  });
  it('refuses a folder and a file with what to do', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => usable(folder)).toThrow(EndpointError);
    expect(() => usable(folder)).toThrow(
      `FOOTBRIDGE_ENDPOINT is ${JSON.stringify(folder)}, which is a folder. Set it to the path of the socket in it, such as ${folder}/discord-ipc-0, or unset it.`,
    );
    expect(() => usable(join(folder, 'file'))).toThrow(
      'which is not a socket. Set it to the path of one, or unset',
    );
    expect(() => usable('relative')).toThrow('not the absolute path');
  });
});
