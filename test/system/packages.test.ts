import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AppPeer } from '../helpers/app-peer.ts';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import { fences } from '../helpers/markdown.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { withoutPackages } from './debian.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const noDpkg = spawnSync('dpkg', ['--version']).status === 0 ? '' : ' (skipped: there is no dpkg here)';
const notLinux = process.platform === 'linux' ? '' : ' (skipped: packages are made on Linux)';
const noImage = withoutPackages({
  buildah: '/usr/bin/buildah',
  skopeo: '/usr/bin/skopeo',
  bubblewrap: '/usr/bin/bwrap',
  'python3-yaml': '/usr/lib/python3/dist-packages/yaml/__init__.py',
});
const makesImage = ['buildah', 'dpkg'].every((tool) => spawnSync(tool, ['--version']).status === 0);

let work: string;
let first: string;
let second: string;
beforeAll(() => {
  work = mkdtempSync(join(realpathSync(tmpdir()), 'fb-packages-'));
  [first, second] = [join(work, 'first'), join(work, 'second')];
  if (notLinux === '') for (const out of [first, second]) makePackages(out);
}, 600_000);
afterAll(() => rmSync(work, { recursive: true, force: true }));

function makePackages(out: string): void {
  const argv = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(ROOT, '.ci/package.ts'), out];
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

function fileOf(folder: string, end: RegExp): string {
  const [name = '', ...more] = readdirSync(folder).filter((one) => end.test(one));
  expect([name === '', more]).toEqual([false, []]);
  return join(folder, name);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** What every form must do: start, say its version, shake hands, answer, load the native part, and stop in time. */
async function proves(command: readonly [string], library: string | RegExp): Promise<Daemon> {
  const daemon = await startDaemon({ command });
  onTestFinished(async () => void (await daemon.stop()));
  expect(daemon.ready.version).toBe(version);
  const { code, stdout } = await daemon.cli(['--version']);
  expect([code, stdout]).toEqual([0, `footbridge ${version}\n`]);

  const app = new AppPeer(await rawPeer(daemon.endpoint));
  const ready = await app.handshake();
  expect(ready).toMatchObject({ cmd: 'DISPATCH', evt: 'READY', data: { v: 1 } });
  expect(await daemon.json('call', 'SET_ACTIVITY', '{"pid":1,"activity":{"state":"packed"}}')).toMatchObject({
    state: 'packed',
  });
  // The bridge keeps its memory from other processes of its user. That nobody had to be warned says it too.
  if (process.getuid?.() === 0) {
    const maps = readFileSync(`/proc/${daemon.pid}/maps`, 'utf8');
    expect(maps.match(/\S*koffi\S*\.node/)?.[0]).toMatch(library);
  }
  expect(daemon.output().stderr).not.toContain('peers are not checked');
  await showsConsole(command, daemon);
  return daemon;
}

/** The page of the console comes with the program. */
async function showsConsole([program]: readonly [string], { env }: Daemon): Promise<void> {
  const child = spawn(program, ['console', '--no-open', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(String(line)) as { readonly url: string };
  const entered = await fetch(url);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  for (const [path, text] of [
    ['/', '/app.js'],
    ['/app.js', '('],
    ['/app.css', '{'],
    ['/favicon.ico', '<svg'],
    ['/status', version],
  ] as const) {
    const answer = await fetch(new URL(path, url), { headers: { cookie } });
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, expect.stringContaining(text)]);
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
}

describe.skipIf(notLinux !== '')(`the packages${notLinux}`, () => {
  it('are identical byte for byte at each build', async () => {
    const names = readdirSync(first).sort();
    expect(names).toEqual([
      `footbridge-${version}-linux-${process.arch}`,
      ...(makesImage ? [`footbridge-${version}-linux-${process.arch}.image.tar.gz`] : []),
      `footbridge-${version}.LICENSES.txt`,
      ...(noDpkg === ''
        ? [
            `footbridge-dev_${version}_all.deb`,
            expect.stringMatching(new RegExp(`^footbridge_${version}_[a-z0-9]+\\.deb$`)),
          ]
        : []),
    ]);
    expect(readdirSync(second).sort()).toEqual(names);
    for (const name of names) expect(await hashOf(join(second, name))).toBe(await hashOf(join(first, name)));
  });
});

describe.skipIf(noDpkg !== '' || notLinux !== '')(`the Debian package${noDpkg}${notLinux}`, () => {
  let scratch: string;
  let program: string;
  beforeAll(() => {
    scratch = join(work, 'root');
    program = join(scratch, 'usr/bin/footbridge');
    if (process.getuid?.() === 0) {
      for (const folder of ['updates', 'info'])
        mkdirSync(join(scratch, 'var/lib/dpkg', folder), { recursive: true });
      writeFileSync(join(scratch, 'var/lib/dpkg/status'), '');
      // The scratch root has nothing that it could depend on.
      dpkg('--install', '--force-depends');
    } else {
      mkdirSync(scratch);
      expect(spawnSync('dpkg', ['-x', fileOf(first, /^footbridge_.*\.deb$/), scratch]).status).toBe(0);
    }
  });

  function dpkg(action: string, ...flags: string[]): string {
    const subject = action === '--install' ? fileOf(first, /^footbridge_.*\.deb$/) : 'footbridge';
    const argv = [`--root=${scratch}`, '--log=/dev/null', ...flags, action, subject];
    const { status, stdout, stderr } = spawnSync('dpkg', argv, { encoding: 'utf8' });
    expect({ action, status, stderr: status === 0 ? '' : stderr }).toEqual({ action, status: 0, stderr: '' });
    return stdout;
  }

  it('serves apps from its installation, with its own native part', async () => {
    const daemon = await proves([program], join(scratch, 'usr/lib/footbridge/dist/koffi.node'));
    expect(await daemon.cli(['conformance', 'server', '--list'])).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await daemon.stop();
    expect([code, stderr]).toEqual([0, '']);
  });
  it('warns that peers are not checked without the native part', async () => {
    const copy = join(work, 'copy');
    expect(spawnSync('cp', ['-a', join(scratch, 'usr'), copy]).status).toBe(0);
    rmSync(join(copy, 'lib/footbridge/dist/koffi.node'));
    const daemon = await startDaemon({ command: [join(copy, 'bin/footbridge')] });
    onTestFinished(async () => void (await daemon.stop()));
    expect(daemon.output().stderr).toContain('peers are not checked: only the folder keeps others out');
    const app = new AppPeer(await rawPeer(daemon.endpoint));
    expect(await app.handshake()).toMatchObject({ evt: 'READY' });
  });
  it('includes the notices of its parts, and the manual page', () => {
    const copyright = readFileSync(join(scratch, 'usr/share/doc/footbridge/copyright'), 'utf8');
    for (const name of ['Footbridge contributors', 'ws 8.', 'zod 4.', 'smol-toml 1.', 'koffi 3.'])
      expect(copyright).toContain(name);
    const page = gunzipSync(readFileSync(join(scratch, 'usr/share/man/man1/footbridge.1.gz'))).toString();
    expect(page).toMatch(/^\.TH FOOTBRIDGE 1 "2023-11-14"/);
  });
  it('includes a user unit, enables nothing, and has no installation scripts', () => {
    const units = readdirSync(join(scratch, 'usr/lib/systemd/user'));
    expect(units).toEqual(['footbridge.service']);
    const unit = readFileSync(join(scratch, 'usr/lib/systemd/user/footbridge.service'), 'utf8');
    expect(unit).toMatch(
      /^ExecStart=:\/usr\/bin\/node .*\/usr\/lib\/footbridge\/dist\/footbridge\.js run --service/m,
    );
    expect(unit).toContain('--core upstream\n');
    expect(unit).toContain('Type=notify\n');
    expect(unit).not.toContain('footbridge install');
    const control = spawnSync('dpkg-deb', ['-I', fileOf(first, /^footbridge_.*\.deb$/)], {
      encoding: 'utf8',
    }).stdout;
    expect(control).not.toMatch(/postinst|prerm|postrm|preinst|conffiles/);
    expect(control).toContain('Depends: nodejs (>= 20.19)');
  });
  it.skipIf(process.getuid?.() !== 0)(
    'matches its checksums, and is removed without a trace (needs root)',
    () => {
      expect(dpkg('--verify')).toBe('');
      dpkg('--purge', '--force-depends');
      expect(existsSync(join(scratch, 'usr'))).toBe(false);
    },
  );
});

describe.skipIf(notLinux !== '')(`the single executable${notLinux}`, () => {
  it('serves apps without Node, with its native part in a private folder', async () => {
    const program = fileOf(first, /-linux-\w+$/);
    const daemon = await proves([program], /\/native\/koffi-[0-9a-f]{16}\.node$/);
    const native = join(daemon.env['XDG_DATA_HOME'] ?? '', 'footbridge/native');
    expect(statSync(native).mode & 0o7777).toBe(0o700);
    expect(statSync(fileOf(native, /\.node$/)).mode & 0o7777).toBe(0o600);
    const { code, stderr } = await daemon.stop();
    expect([code, stderr]).toEqual([0, '']);
  });
  it('has the licences of its parts in a file beside it', () => {
    const licences = readFileSync(fileOf(first, /LICENSES/), 'utf8');
    for (const name of ['Footbridge contributors', 'ws 8.', 'koffi 3.', 'Node.js contributors'])
      expect(licences).toContain(name);
  });
  it('includes the whole command line', async () => {
    const daemon = await startDaemon({ command: [fileOf(first, /-linux-\w+$/)] });
    onTestFinished(async () => void (await daemon.stop()));
    for (const words of [['status'], ['config', 'show'], ['schema'], ['conformance', 'server', '--list']]) {
      const { code, stderr } = await daemon.cli(words);
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
    }
    const { code } = await daemon.cli([
      'emulate',
      '--quiet',
      '--',
      'sh',
      '-c',
      'test -S "$XDG_RUNTIME_DIR/discord-ipc-0"',
    ]);
    expect(code).toBe(0);
  });
});

/** What the image asks a runtime for. */
interface ImageConfig {
  readonly architecture: string;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Volumes: object;
  };
}

/** What is read of the compose example. */
interface Compose {
  readonly services: {
    readonly [name: string]: {
      readonly command?: readonly string[];
      readonly user: string;
      readonly environment?: Readonly<Record<string, string>>;
      readonly volumes: readonly string[];
    };
  };
}

describe.skipIf(noImage !== undefined || noDpkg !== '' || notLinux !== '')(
  `the container image${noImage === undefined ? '' : ` (skipped: ${noImage})`}${noDpkg}${notLinux}`,
  () => {
    const [uid, gid] = [1000, 1000];
    let layers: string;
    let image: ImageConfig;
    const skopeo = (...words: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync('skopeo', words, { encoding: 'utf8' });
      expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: '' });
      return stdout;
    };
    beforeAll(() => {
      const archive = join(work, 'image.tar');
      writeFileSync(archive, gunzipSync(readFileSync(fileOf(first, /\.image\.tar\.gz$/))));
      const source = `docker-archive:${archive}:footbridge:${version}`;
      image = JSON.parse(skopeo('inspect', '--config', source)) as ImageConfig;
      const copy = join(work, 'image');
      // Checks every digest on the way.
      skopeo('copy', '--quiet', source, `dir:${copy}`);
      const manifest = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8')) as {
        readonly layers: readonly { readonly digest: string }[];
      };
      layers = join(work, 'layers');
      mkdirSync(layers);
      // Another user has to get there.
      chmodSync(work, 0o755);
      for (const { digest } of manifest.layers) {
        const words = ['-xpf', join(copy, digest.replace('sha256:', '')), '-C', layers];
        expect(spawnSync('tar', ['--numeric-owner', ...words]).status).toBe(0);
      }
    });

    /** Runs the image as a runtime does: its files, its user, its variables, and a folder as the volume. */
    function start(volume: string, words: readonly string[]): ChildProcess {
      const variables = image.config.Env.flatMap((one) => {
        const [name = '', value = ''] = one.split('=');
        return ['--setenv', name, value];
      });
      const shut = ['--unshare-all', '--die-with-parent', '--clearenv', '--proc', '/proc', '--dev', '/dev'];
      const files = ['--bind', layers, '/', '--bind', volume, '/run/footbridge'];
      const program = [...image.config.Entrypoint, ...words];
      const root = process.getuid?.() === 0;
      const as = root ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : [];
      const [file = '', ...args] = [...as, 'bwrap', ...shut, ...files, ...variables, ...program];
      const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    }
    const ended = async (child: ChildProcess) => {
      const [out, err] = await Promise.all([child.stdout?.toArray(), child.stderr?.toArray()]);
      const code = child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)));
      return {
        code,
        stdout: Buffer.concat(out ?? []).toString(),
        stderr: Buffer.concat(err ?? []).toString(),
      };
    };

    it('declares its architecture, user, entry point and volume', () => {
      expect(image).toMatchObject({
        architecture: process.arch === 'x64' ? 'amd64' : process.arch,
        config: { User: '1000:1000', Entrypoint: ['/usr/local/bin/footbridge'] },
      });
      expect(image.config.Volumes).toEqual({ '/run/footbridge': {} });
    });

    it('includes the notices of its parts, and no other program than footbridge', () => {
      const notices = readFileSync(join(layers, 'usr/share/doc/footbridge/copyright'), 'utf8');
      for (const name of ['Footbridge contributors', 'ws 8.', 'koffi 3.', 'Node.js contributors', 'glibc '])
        expect(notices).toContain(name);
      expect(readFileSync(join(layers, 'usr/share/doc/libc6/copyright'), 'utf8')).toContain('GNU');
      const programs = readdirSync(layers, { recursive: true, encoding: 'utf8' }).filter((name) => {
        const status = statSync(join(layers, name));
        return status.isFile() && (status.mode & 0o111) !== 0 && !/\.so[.\d]*$/.test(name);
      });
      expect(programs).toEqual(['usr/local/bin/footbridge']);
    });

    it('serves another container over a shared volume, as in the compose example', async () => {
      const page = readFileSync(join(ROOT, '.github/guide/installation.md'), 'utf8');
      const [block] = fences(page).filter(({ language }) => language === 'yaml');
      const script = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)';
      const { stdout } = spawnSync('/usr/bin/python3', ['-c', script], {
        input: block?.text ?? '',
        encoding: 'utf8',
      });
      const { services } = JSON.parse(stdout) as Compose;
      const { footbridge, app } = services;
      expect(footbridge?.volumes).toEqual(app?.volumes);
      expect([footbridge?.volumes[0]?.split(':')[1], app?.environment?.['XDG_RUNTIME_DIR']]).toEqual([
        '/run/footbridge',
        '/run/footbridge',
      ]);
      expect([footbridge?.user, app?.user]).toEqual([image.config.User, image.config.User]);

      const volume = join(work, 'volume');
      mkdirSync(volume, { mode: 0o700 });
      if (process.getuid?.() === 0) chownSync(volume, uid, gid);
      const bridge = start(volume, footbridge?.command ?? []);
      let said = '';
      bridge.stdout?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      let failed = '';
      bridge.stderr?.setEncoding('utf8').on('data', (text: string) => {
        failed += text;
      });
      await expect.poll(() => said || failed, { timeout: 20_000 }).toMatch(/"ready":true/);
      const call = ['call', 'AUTHORIZE', '{"client_id":"300000000000000001","scopes":["rpc"]}'];
      const answer = await ended(start(volume, call));
      expect({ ...answer, stdout: '' }).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(JSON.parse(answer.stdout)).toMatchObject({ code: expect.any(String) });
      expect(await ended(start(volume, ['--version']))).toMatchObject({ stdout: `footbridge ${version}\n` });
    });
  },
);
