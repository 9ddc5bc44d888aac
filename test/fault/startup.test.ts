import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  daemonCommand,
  daemonCommandOf,
  endpointsIn,
  faultBridge,
  isRoot,
  PROGRAM,
  place,
  refusedStart,
  startCommand,
} from '../helpers/fault-bridge.ts';
import { modeOf, NOBODY, nodeForOthers, othersCanRead } from '../helpers/other-user.ts';
import { uid } from '../helpers/sockets.ts';

const CONFIGURATION = 78;

/** A sub-folder of a private place, and an environment that points at it. */
function runtimeFolder(folderMode: number) {
  const runtime = place();
  const folder = join(runtime.folder, 'run');
  mkdirSync(folder);
  chmodSync(folder, folderMode);
  return { folder, runtime, env: { ...runtime.env, XDG_RUNTIME_DIR: folder } };
}

async function expectRefused(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { code, stderr } = await refusedStart(env);
  expect(code).toBe(CONFIGURATION);
  expect(stderr).toContain(folder);
  expect(endpointsIn(folder)).toEqual([]);
}

it('the sockets have mode 0600 and our folder has mode 0700, whatever the umask [T01]', async () => {
  const before = process.umask(0);
  try {
    const { endpoint, folder, ready } = await faultBridge();
    const own = join(folder, `footbridge-${uid}`);
    expect([modeOf(endpoint), modeOf(ready.control), modeOf(own)]).toEqual([0o600, 0o600, 0o700]);
  } finally {
    process.umask(before);
  }
});

describe('a runtime folder that others can write to [T02]', () => {
  it.each([0o777, 0o770, 0o702])('is refused with mode %o, and no socket is created', async (folderMode) => {
    const { folder, env } = runtimeFolder(folderMode);
    await expectRefused(folder, env);
  });
  it.skipIf(!isRoot)('is refused when it is sticky but not owned by root (needs root)', async () => {
    const { folder, env } = runtimeFolder(0o1777);
    chownSync(folder, NOBODY, NOBODY);
    await expectRefused(folder, env);
  });
  it.skipIf(!isRoot)(
    'is accepted when it is sticky and owned by root, with a socket of mode 0600 (needs root)',
    async () => {
      const { folder, runtime, env } = runtimeFolder(0o1777);
      const { endpoint } = await faultBridge({ runtime: { ...runtime, env } });
      expect(dirname(endpoint)).toBe(folder);
      expect(modeOf(endpoint)).toBe(0o600);
    },
  );
});

it('a runtime folder that is a symbolic link is refused [T03]', async () => {
  const { folder, runtime, env } = runtimeFolder(0o700);
  const link = join(runtime.folder, 'link');
  symlinkSync(folder, link);
  for (const path of [link, `${link}/`]) {
    expect((await refusedStart({ ...env, XDG_RUNTIME_DIR: path })).code).toBe(CONFIGURATION);
  }
  expect(readdirSync(folder)).toEqual([]);
});

/** Root may write to any folder. */
const asUser = isRoot ? { uid: NOBODY } : {};
describe.skipIf(process.platform === 'win32' || (isRoot && !othersCanRead(PROGRAM)))(
  'our runtime folder without write permission (as root, needs a checkout that others can read) [T02]',
  () => {
    it.each([
      ['with nothing in it', false],
      ['with our folder in it', true],
    ])(
      '%s: the daemon exits with 78 and one line that names the folder, the error and the variable',
      async (_, withOurs) => {
        const { folder, runtime, env } = runtimeFolder(0o700);
        const own = join(folder, `footbridge-${isRoot ? NOBODY : uid}`);
        if (withOurs) mkdirSync(own, { mode: 0o700 });
        if (isRoot) {
          const others = ['.', 'home', 'config', 'data', 'state'].map((name) => join(runtime.folder, name));
          for (const path of [...others, folder, ...(withOurs ? [own] : [])]) chownSync(path, NOBODY, NOBODY);
        }
        chmodSync(folder, 0o500);
        const command = daemonCommandOf(nodeForOthers());
        const { code, stderr } = await startCommand(command, env, { ...asUser, cwd: '/' }).ended;
        chmodSync(folder, 0o700);
        expect(code).toBe(CONFIGURATION);
        expect(stderr.trimEnd().split('\n')).toHaveLength(1);
        expect(stderr).toContain(`${folder}`);
        expect(stderr).toContain('EACCES');
        expect(stderr).toContain('XDG_RUNTIME_DIR');
        expect(endpointsIn(folder)).toEqual([]);
      },
    );
  },
);

it.skipIf(!isRoot)('a runtime folder of another user is refused (needs root) [T04]', async () => {
  const { folder, env } = runtimeFolder(0o700);
  chownSync(folder, NOBODY, NOBODY);
  await expectRefused(folder, env);
});

describe('an obstacle at the path of the endpoint [T05]', () => {
  const canary = 'what the user keeps here';
  const kinds: [string, (path: string, target: string) => void, (path: string) => boolean][] = [
    ['regular file', (path) => writeFileSync(path, canary), (path) => readFileSync(path, 'utf8') === canary],
    ['FIFO', (path) => spawnSync('mkfifo', [path]), (path) => statSync(path).isFIFO()],
    [
      'folder',
      (path) => {
        mkdirSync(path);
        writeFileSync(join(path, 'file'), canary);
      },
      (path) => readFileSync(join(path, 'file'), 'utf8') === canary,
    ],
    [
      'symbolic link',
      (path, target) => {
        writeFileSync(target, canary);
        symlinkSync(target, path);
      },
      (path) => readFileSync(readlinkSync(path), 'utf8') === canary,
    ],
  ];
  it.each(kinds)(
    'a %s is left alone and reported, and the daemon uses the next index',
    async (what, make, intact) => {
      const runtime = place();
      const path = join(runtime.folder, 'discord-ipc-0');
      make(path, join(runtime.folder, 'target'));
      const { endpoint, stop } = await faultBridge({ runtime });
      expect(endpoint).toBe(join(runtime.folder, 'discord-ipc-1'));
      const { stderr } = await stop();
      expect(stderr).toContain(`a ${what} stands there`);
      expect(intact(path)).toBe(true);
      expect(existsSync(endpoint)).toBe(false);
    },
  );
  it('makes the daemon exit with 75 when the index is fixed', async () => {
    const runtime = place();
    writeFileSync(join(runtime.folder, 'discord-ipc-0'), canary);
    expect((await refusedStart(runtime.env, '--index', '0')).code).toBe(75);
    expect(readFileSync(join(runtime.folder, 'discord-ipc-0'), 'utf8')).toBe(canary);
  });
});

it.each([108, 200])(
  'a socket path of %i bytes is refused, and no stray file is created [T10]',
  async (length) => {
    const runtime = place();
    const folder = join(
      runtime.folder,
      'x'.repeat(length - runtime.folder.length - 1 - '/discord-ipc-0'.length),
    );
    mkdirSync(folder, { mode: 0o700 });
    const { code, stderr } = await refusedStart({ ...runtime.env, XDG_RUNTIME_DIR: folder });
    expect(code).toBe(CONFIGURATION);
    expect(stderr).toMatch(/is \d+ bytes long and a socket path holds at most 107/);
    expect(readdirSync(runtime.folder).filter((name) => name.startsWith('x'.repeat(20)))).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  },
);

describe('the variables of the endpoint rule [T13]', () => {
  it.each([
    ['XDG_RUNTIME_DIR', 'run/user', ''],
    ['XDG_RUNTIME_DIR', './run', ''],
    ['XDG_RUNTIME_DIR', '~/run', ''],
    ['TMPDIR', 'tmp', ''],
    ['TMP', '../tmp', ''],
  ])('%s=%s is refused', async (name, value) => {
    const { env } = place();
    const { XDG_RUNTIME_DIR: _unset, ...rest } = env;
    const { code, stderr } = await refusedStart({ ...rest, XDG_RUNTIME_DIR: '', [name]: value });
    expect(code).toBe(CONFIGURATION);
    expect(stderr).toContain(name);
  });
  it('an empty variable counts as unset, and the next variable decides', async () => {
    const runtime = place();
    const env = { ...runtime.env, XDG_RUNTIME_DIR: '', TMPDIR: runtime.folder };
    const { endpoint } = await faultBridge({ runtime: { ...runtime, env } });
    expect(endpoint).toBe(join(runtime.folder, 'discord-ipc-0'));
  });
});

/** All that the program, or a library in it, looks for by its name. */
const PLANTED = [
  'koffi',
  `@koromix/koffi-linux-${process.arch}`,
  'node-ipc',
  '@footbridge/conformance',
  'ws',
  'bufferutil',
  'utf-8-validate',
  'pino',
  'pino-pretty',
  'zod',
  'smol-toml',
  'jose',
];

describe('the daemon without koffi [T16]', () => {
  /** The built program where no package is found. */
  function withoutPackages(folder: string): string {
    const copy = join(folder, 'dist');
    cpSync(dirname(PROGRAM), copy, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    return join(copy, 'footbridge.js');
  }
  const command = (program: string): [string, ...string[]] => {
    const [node, ...rest] = daemonCommand();
    return [node, ...rest.map((word) => (word === PROGRAM ? program : word))];
  };

  it('warns and serves when only its own user can enter the folder', async () => {
    const runtime = place();
    const program = withoutPackages(runtime.folder);
    const running = startCommand(command(program), runtime.env);
    expect(await running.said('\n')).toContain('"ready":true');
    const status = spawnSync(process.execPath, [program, 'status'], { env: runtime.env, encoding: 'utf8' });
    expect(status.stdout).toMatch(/^weaker +nobody asks the kernel who connects/m);
    running.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('koffi');
    expect(stderr).toContain('peers are not checked');
  });
  it('runs no package that is planted in a folder above its own', async () => {
    const runtime = place();
    const folder = join(runtime.folder, 'app');
    const program = withoutPackages(folder);
    const marks = join(runtime.folder, 'marks');
    mkdirSync(marks);
    const plant = `require('node:fs').writeFileSync(${JSON.stringify(`${marks}/`)} + __filename.replaceAll('/', '_'), '');`;
    for (const packages of [join(runtime.folder, 'node_modules'), runtime.folder]) {
      for (const name of PLANTED) {
        const own = join(packages, name);
        mkdirSync(own, { recursive: true });
        writeFileSync(
          join(own, 'package.json'),
          JSON.stringify({ name, version: '14.0.0', main: 'index.js' }),
        );
        writeFileSync(join(own, 'index.js'), plant);
        // What a loader of native libraries looks for: not a library, which shows as another reason than "not installed".
        const native = join(own, `linux_${process.arch}`);
        mkdirSync(native);
        writeFileSync(join(native, 'koffi.node'), 'no library');
      }
    }
    const running = startCommand(command(program), runtime.env);
    await running.said('\n');
    for (const args of [['doctor'], ['conformance', '--help'], ['status']])
      spawnSync(process.execPath, [program, ...args], { env: runtime.env, cwd: folder });
    running.kill('SIGTERM');
    const { stderr } = await running.ended;
    expect(stderr).toContain('koffi does not load: it is not installed');
    const door = startCommand([...command(program)] as [string, ...string[]], {
      ...runtime.env,
      FOOTBRIDGE_NODE_IPC: 'true',
    });
    expect((await door.ended).stderr).toContain('it is not installed');
    expect(readdirSync(marks)).toEqual([]);
  });
  it('refuses a folder that others can enter, and recommends to install koffi', async () => {
    const { folder, runtime, env } = runtimeFolder(0o755);
    const { code, stderr } = await startCommand(command(withoutPackages(runtime.folder)), env).ended;
    expect(code).toBe(CONFIGURATION);
    expect(stderr).toContain('Install the optional package koffi');
    expect(endpointsIn(folder)).toEqual([]);
  });
});
