import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { durableCopy, loadsNative, removeCopies } from '../../../src/cli/service/durable-copy.ts';
import { commandOf, ownProgram, whyTemporary } from '../../../src/cli/service/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { createRuntime, startDaemon } from '../../helpers/daemon.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { fakeIo } from '../fake-io.ts';
import { footbridge, temporaryPlace } from '../spawn.ts';

/** A package as npm unpacks it, with everything that must not travel. */
function fakePackage(folder: string): string {
  for (const path of [
    'package.json',
    'README.md',
    'dist/footbridge.js',
    'dist/chunk-AB.js',
    'dist/client/index.mjs',
    'dist/console/app.js',
    'dist/types/a.d.ts',
    'node_modules/koffi/index.cjs',
    'node_modules/koffi/index.js',
    'node_modules/koffi/package.json',
    'node_modules/koffi/src/a.cc',
    'node_modules/koffi/doc/b.md',
    `node_modules/@koromix/koffi-linux-${process.arch}/linux_${process.arch}/koffi.node`,
    `node_modules/@koromix/koffi-linux-${process.arch}/musl_${process.arch}/koffi.node`,
    'node_modules/zod/index.js',
  ]) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(
      join(folder, path),
      path.endsWith('.json') ? '{"name":"footbridge","main":"index.cjs"}' : path,
    );
  }
  return folder;
}

const files = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe('the program of the service', () => {
  it('is the running checkout', async () => {
    const own = ownProgram();
    expect(own).toMatchObject({ kind: 'package', node: process.execPath });
    expect(whyTemporary(own, {})).toBe('a checkout');
    expect(await loadsNative(own)).toBe(true);
    expect(commandOf(own, { core: 'upstream' })).toEqual([
      process.execPath,
      '--inspect-port=192.0.2.1:9229',
      expect.stringMatching(/^\/.*\/dist\/footbridge\.js$/),
      'run',
      '--service',
      '--core',
      'upstream',
    ]);
    expect(commandOf({ kind: 'executable', path: '/opt/footbridge' }, { core: '/a core.mjs' })).toEqual([
      '/opt/footbridge',
      'run',
      '--service',
      '--core',
      '/a core.mjs',
    ]);
  });

  it.each([
    ['/home/u/.npm/_npx/1234/node_modules/footbridge', 'a cache'],
    ['/home/u/.cache/pnpm/dlx-1/node_modules/footbridge', 'a cache'],
    ['/tmp/footbridge', 'a temporary folder'],
    ['/run/user/1000/footbridge', 'a temporary folder'],
    ['/home/u/xdg-cache/footbridge', 'a temporary folder'],
    ['/usr/lib/node_modules/footbridge', undefined],
    ['/home/u/.nvm/versions/node/v22/lib/node_modules/footbridge', undefined],
    ['/home/u/project/node_modules/footbridge', undefined],
    ['/tmpfoo/footbridge', undefined],
  ])('at %s is classified as %s', (root, why) => {
    const env = { XDG_RUNTIME_DIR: '/run/user/1000', XDG_CACHE_HOME: '/home/u/xdg-cache' };
    expect(whyTemporary({ kind: 'package', node: '/usr/bin/node', root }, env)).toBe(why);
    expect(whyTemporary({ kind: 'executable', path: root }, env)).toBe(why);
  });
});

describe('a durable copy', () => {
  it('contains the files that the command needs, and exists once for each content', () => {
    const root = fakePackage(temporaryFolder());
    const data = join(temporaryFolder(), 'data');
    const program = { kind: 'package', node: '/usr/bin/node', root } as const;
    const copy = durableCopy(program, data);
    expect(existsSync(data)).toBe(false);
    copy.make();
    expect(files(copy.folder)).toEqual([
      'dist/chunk-AB.js',
      'dist/console/app.js',
      'dist/footbridge.js',
      'dist/koffi.node',
      'package.json',
    ]);
    expect(copy.program).toEqual({ ...program, root: copy.folder });
    expect(durableCopy(program, data).folder).toBe(copy.folder);

    // Damaged meanwhile: made again.
    writeFileSync(join(copy.folder, 'dist', 'chunk-AB.js'), 'damaged');
    copy.make();
    writeFileSync(join(root, 'dist', 'chunk-AB.js'), 'newer');
    const newer = durableCopy(program, data);
    expect(newer.folder).not.toBe(copy.folder);
    newer.make();
    expect(readdirSync(join(data, 'app'))).toHaveLength(2);
    newer.dropOthers();
    expect(readdirSync(join(data, 'app'))).toHaveLength(1);
    newer.discard();
    expect(existsSync(join(data, 'app'))).toBe(false);
    expect([newer.make(), newer.make()]).toEqual([true, false]);
    expect([removeCopies(data), removeCopies(data)]).toEqual([true, false]);
  });

  it('omits koffi when its native part for this system is missing', async () => {
    const root = fakePackage(temporaryFolder());
    rmSync(join(root, 'node_modules/@koromix', `koffi-linux-${process.arch}`), { recursive: true });
    const other = join('node_modules/@koromix/koffi-plan9-mips/plan9_mips/koffi.node');
    mkdirSync(join(root, other, '..'), { recursive: true });
    writeFileSync(join(root, other), other);
    const copy = durableCopy({ kind: 'package', node: process.execPath, root }, temporaryFolder());
    copy.make();
    expect(files(copy.folder)).toEqual([
      'dist/chunk-AB.js',
      'dist/console/app.js',
      'dist/footbridge.js',
      'package.json',
    ]);
    expect(await loadsNative(copy.program)).toBe(false);
  });

  it('contains the native part of a Debian package once', () => {
    const root = fakePackage(temporaryFolder());
    writeFileSync(join(root, 'dist/koffi.node'), 'beside');
    const copy = durableCopy({ kind: 'package', node: '/usr/bin/node', root }, temporaryFolder());
    copy.make();
    expect(files(copy.folder).filter((path) => path.endsWith('.node'))).toEqual(['dist/koffi.node']);
    expect(readFileSync(join(copy.folder, 'dist/koffi.node'), 'utf8')).toBe('beside');
  });

  it('works without native calls when the native part does not load', async () => {
    const root = fakePackage(temporaryFolder());
    const program = { kind: 'package', node: process.execPath, root } as const;
    const copy = durableCopy(program, temporaryFolder());
    copy.make();
    // The fake one is no module.
    expect(await loadsNative(copy.program)).toBe(false);
  });

  it('of an executable contains only the executable', () => {
    const path = join(temporaryFolder(), 'footbridge');
    writeFileSync(path, 'ELF');
    const copy = durableCopy({ kind: 'executable', path }, temporaryFolder());
    copy.make();
    expect(copy.program).toEqual({ kind: 'executable', path: join(copy.folder, 'footbridge') });
    expect(files(copy.folder)).toEqual(['footbridge']);
  });
});

describe('install', () => {
  it('--print prints files and commands and changes nothing', async () => {
    const place = temporaryPlace();
    const { code, stdout, stderr } = await footbridge(place, 'install', '--print', '--linger', '--socket');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^note: Without --core the core is "upstream".* no fallback.*\n$/),
    });
    expect(stdout).toContain('run --service --core upstream');
    expect(stdout).toContain(join(place.folder, 'data', 'footbridge', 'app'));
    expect(readdirSync(place.folder)).toEqual(['home']);
    expect(readdirSync(join(place.folder, 'home'))).toEqual([]);
    const { stdout: json } = await footbridge(place, 'install', '--print', '--json', '--core', 'emulator');
    expect(JSON.parse(json)).toMatchObject({
      files: [
        { path: expect.stringContaining(place.folder), content: expect.stringContaining('--core emulator') },
      ],
      commands: expect.any(Array),
      notes: [expect.stringContaining('no app of yours reaches the real one')],
    });
  });

  it.each([
    ['--core', 'emulater'],
    ['--core', ''],
    ['--core', './no-such-core.mjs'],
  ])('rejects %s %j as a usage error', async (...argv) => {
    const io = fakeIo(temporaryPlace().env);
    expect(await runProgram(['install', ...argv, '--print'], commandTable, io)).toBe(64);
    expect(io.stderr()).toContain('--core');
    expect(io.stdout()).toBe('');
  });

  it.each<[string, string[], string, string]>([
    ['core = "attach"', [], 'run --service', 'The core is "attach", as '],
    ['core = "attach"', ['--core', 'attach'], 'run --service', 'The core is "attach", as '],
    ['core = "attach"', ['--core', 'emulator'], 'run --service --core emulator', 'The emulator answers'],
    [
      'core = "attach"',
      ['--bridge-port', '1337'],
      'run --service --bridge-port 1337',
      'The core is "attach", as ',
    ],
    ['fallback = "emulator"', [], 'run --service --core upstream', 'Without --core the core is "upstream"'],
    [
      '',
      ['--fallback', 'emulator'],
      'run --service --core upstream --fallback emulator',
      'the core "emulator" answers',
    ],
    [
      '',
      ['--bridge-port', '1337'],
      'run --service --core upstream --bridge-port 1337',
      '--bridge-port means nothing on the core "upstream"',
    ],
  ])('with %j in the configuration and %j starts the service with: %s', async (toml, argv, command, note) => {
    const place = temporaryPlace();
    const config = join(place.folder, 'config', 'footbridge');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'footbridge.toml'), `${toml}\n`);
    const { code, stdout, stderr } = await footbridge(place, 'install', '--print', ...argv);
    expect(code).toBe(0);
    expect(/run --service.*/.exec(stdout)?.[0]).toMatch(new RegExp(`^${command}(?: --log-files)?['"]?$`));
    expect(stderr).toContain(note);
  });

  it.each<[string, Record<string, string> | string, string[], string[], string, string | undefined]>([
    [
      'the core of a receipt without options',
      'emulator',
      [],
      [],
      '--core emulator',
      '--core emulator. To change one',
    ],
    [
      'nothing of a receipt without options and core of choice',
      'upstream',
      [],
      [],
      '--core upstream',
      undefined,
    ],
    ['the core', { core: 'emulator' }, [], ['--linger'], '--core emulator', '--core emulator. To change one'],
    [
      'the fall-back and the socket',
      { fallback: 'emulator' },
      ['footbridge.socket'],
      [],
      '--core upstream --fallback emulator',
      '--fallback emulator --socket. To change one',
    ],
    [
      'nothing that is given again',
      { core: 'emulator' },
      [],
      ['--core', 'upstream'],
      '--core upstream',
      undefined,
    ],
    [
      'no option of another core, which it says',
      { core: 'attach', 'bridge-port': '1337' },
      [],
      ['--core', 'emulator'],
      '--core emulator',
      'drops these options of the earlier installation: --bridge-port 1337',
    ],
  ])('preserves %s on a second run', async (_title, flags, units, argv, command, note) => {
    const place = temporaryPlace();
    const data = join(place.folder, 'data', 'footbridge');
    mkdirSync(data, { recursive: true });
    const files = units.map((name) => ({ path: join(place.folder, name), sha256: '' }));
    const receipt = {
      kind: 'systemd',
      version: '0',
      core: typeof flags === 'string' ? flags : (flags['core'] ?? 'upstream'),
      ...(typeof flags === 'string' ? {} : { flags }),
      files,
      marks: [],
    };
    writeFileSync(join(data, 'service.json'), JSON.stringify(receipt));
    const { code, stdout, stderr } = await footbridge(place, 'install', '--print', ...argv);
    expect(code).toBe(0);
    expect(/run --service.*/.exec(stdout)?.[0]).toMatch(
      new RegExp(`^run --service ${command}(?: --log-files)?['"]?$`),
    );
    if (note === undefined) expect(stderr).not.toContain('installation before');
    else expect(stderr).toContain(note);
  });

  it('reports an invalid configuration before it installs anything', async () => {
    const place = temporaryPlace();
    const config = join(place.folder, 'config', 'footbridge');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'footbridge.toml'), 'consent = "perhaps"\n');
    const { code, stderr } = await footbridge(place, 'install');
    expect(code).toBe(78);
    expect(stderr).toContain('footbridge.toml: consent');
    expect(existsSync(join(place.folder, 'data'))).toBe(false);
  });

  it('refuses to install for root when it runs under sudo', async () => {
    const asked = vi.spyOn(process, 'getuid').mockReturnValue(0);
    const io = fakeIo({ ...temporaryPlace().env, SUDO_USER: 'someone' });
    expect(await runProgram(['install'], commandTable, io)).toBe(1);
    expect(io.stderr()).toContain('without sudo');
    asked.mockRestore();
  });
});

describe('uninstall', () => {
  it('succeeds without an installation, and --purge preserves the configuration of the user', async () => {
    const place = temporaryPlace();
    expect(await footbridge(place, 'uninstall')).toMatchObject({
      code: 0,
      stdout: 'Nothing was installed.\n',
    });
    expect(await footbridge(place, 'uninstall', '--purge')).toMatchObject({ code: 0, stderr: '' });
    for (const folder of ['config', 'data']) {
      mkdirSync(join(place.folder, folder, 'footbridge'), { recursive: true });
      writeFileSync(join(place.folder, folder, 'footbridge', 'footbridge.toml'), '');
    }
    const { code, stdout } = await footbridge(place, 'uninstall', '--purge', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ change: 'removed' });
    expect(existsSync(join(place.folder, 'data', 'footbridge'))).toBe(false);
    expect(existsSync(join(place.folder, 'config', 'footbridge', 'footbridge.toml'))).toBe(true);
  });

  it('--purge leaves the data of a running bridge and prints how to stop the bridge', async () => {
    const runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    const bridge = await startDaemon({ runtime });
    const data = join(runtime.env['XDG_DATA_HOME'] ?? '', 'footbridge');
    const { code, stdout, stderr } = await footbridge(runtime, 'uninstall', '--purge');
    expect({ code, stdout }).toEqual({ code: 75, stdout: '' });
    expect(stderr).toContain(`(pid ${bridge.pid}) runs and keeps its data in ${data}. Stop it`);
    expect(files(data)).toContain('emulator.lock');
    await bridge.stop();
    expect(await footbridge(runtime, 'uninstall', '--purge')).toMatchObject({ code: 0 });
    expect(existsSync(data)).toBe(false);
  });

  it('--purge does not follow a link out of the data folder', async () => {
    const place = temporaryPlace();
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'precious'), '');
    mkdirSync(join(place.folder, 'data'));
    symlinkSync(elsewhere, join(place.folder, 'data', 'footbridge'));
    await footbridge(place, 'uninstall', '--purge');
    expect(existsSync(join(elsewhere, 'precious'))).toBe(true);
  });
});
