import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { writeDevelopmentPackage } from '../../.ci/debian-dev.ts';
import { guidePath } from '../../src/cli/guides.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { blockOf } from '../helpers/page-sessions.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { withoutPackages } from '../system/debian.ts';
import { isThere, missing } from './compiled.ts';

const NATIVE = join(root, 'src/native');
const APP = '300000000000000001';
const reason = withoutPackages({
  cmake: '/usr/bin/cmake',
  'pkg-config': '/usr/bin/pkg-config',
  gcc: '/usr/bin/gcc',
  make: '/usr/bin/make',
});
const noTools = reason ?? (isThere('dpkg') ? '' : 'there is no dpkg');

/** Runs a program; what it prints is shown when it fails. */
function run(
  program: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', ...options });
  expect({ status, said: status === 0 ? '' : stdout + stderr }, [program, ...args].join(' ')).toEqual({
    status: 0,
    said: '',
  });
  return stdout;
}

/** Each file below a folder with its content, except those for people. */
function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/share\/(?:doc|footbridge)\//.test(path));
  return Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

/** Lets a built example show its presence to a bridge. */
async function shows(program: string, details: string, input = ''): Promise<void> {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  const env = { ...process.env, XDG_DATA_HOME: temporaryFolder(), ...bridge.env };
  const child = spawn(program, [APP], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  onTestFinished(() => void child.kill());
  child.stdin.write(input);
  await expect.poll(() => bridge.presence(APP)).toMatchObject({ details });
  child.kill();
  await once(child, 'close');
}

/** Writes a project of CMake that builds both examples, builds it, and runs what it built. */
async function isBuiltBy(lines: string, ...settings: readonly string[]): Promise<void> {
  const folder = temporaryFolder();
  cpSync(join(NATIVE, 'examples/presence.c'), join(folder, 'presence.c'));
  cpSync(join(root, 'test/native/game.c'), join(folder, 'game.c'));
  writeFileSync(
    join(folder, 'CMakeLists.txt'),
    `cmake_minimum_required(VERSION 3.14)
project(game C)
${lines}
add_executable(presence presence.c)
target_link_libraries(presence footbridge::footbridge)
add_executable(game game.c)
target_link_libraries(game footbridge::discord-rpc)
`,
  );
  run('cmake', ['-S', folder, '-B', join(folder, 'build'), ...settings]);
  run('cmake', ['--build', join(folder, 'build')]);
  await shows(join(folder, 'build/presence'), 'By the river');
  await shows(join(folder, 'build/game'), 'By the sea', 'show By the sea\n');
}

describe.skipIf(noTools !== '')(`footbridge-dev${noTools === '' ? '' : ` (skipped: ${noTools})`}`, () => {
  let folder: string;
  let installed: string;
  let prefix: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fb-development-'));
    const file = await writeDevelopmentPackage(folder, 1_700_000_000);
    installed = join(folder, 'root');
    prefix = join(installed, 'usr');
    if (process.getuid?.() === 0) {
      for (const name of ['updates', 'info'])
        mkdirSync(join(installed, 'var/lib/dpkg', name), { recursive: true });
      writeFileSync(join(installed, 'var/lib/dpkg/status'), '');
      run('dpkg', [`--root=${installed}`, '--log=/dev/null', '--install', file]);
      expect(run('dpkg', [`--root=${installed}`, '--verify', 'footbridge-dev'])).toBe('');
    } else run('dpkg', ['-x', file, installed]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('builds an example with pkg-config', async () => {
    const example = join(prefix, 'share/doc/footbridge-dev/examples/presence.c');
    const env = { ...process.env, PKG_CONFIG_PATH: join(prefix, 'share/pkgconfig') };
    const flags = run('pkg-config', ['--cflags', 'footbridge'], { env }).trim().split(' ');
    const program = join(installed, 'presence');
    run('gcc', [...flags, '-o', program, example]);
    await shows(program, 'By the river');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(run('pkg-config', ['--modversion', 'footbridge'], { env })).toBe(`${version}\n`);
  });

  it('builds an example with CMake, as the guide says', async () => {
    const lines = blockOf(guidePath('native-apps'), 'cmake', 'find_package');
    await isBuiltBy(lines.replace(/^(?:add_exec|target_link).*\n/gm, ''), `-DCMAKE_PREFIX_PATH=${prefix}`);
  });

  it('serves requests of CMake for its version and those before it', () => {
    const [major = 0, minor = 0, patch = 0] = (
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    ).version
      .split('.')
      .map(Number);
    const finds = (wanted: string): boolean => {
      const folder = temporaryFolder();
      const text = `cmake_minimum_required(VERSION 3.14)\nproject(game C)\nfind_package(Footbridge ${wanted} REQUIRED)\n`;
      writeFileSync(join(folder, 'CMakeLists.txt'), text);
      const args = ['-S', folder, '-B', join(folder, 'build'), `-DCMAKE_PREFIX_PATH=${prefix}`];
      return spawnSync('cmake', args).status === 0;
    };
    expect(
      [
        '',
        `${major}.${minor}`,
        `${major}.${minor}.${patch} EXACT`,
        `${major}.${minor}.${patch + 1}`,
        '99',
      ].map(finds),
    ).toEqual([true, true, true, false, false]);
  });

  it('has the files that CMake and vcpkg install', () => {
    const folder = temporaryFolder();
    run('cmake', [
      '-S',
      NATIVE,
      '-B',
      join(folder, 'build'),
      `-DCMAKE_INSTALL_PREFIX=${join(folder, 'cmake')}`,
    ]);
    run('cmake', ['--install', join(folder, 'build')]);
    const files = contentOf(prefix);
    expect(Object.keys(files)).toContain('include/footbridge/footbridge.h');
    expect(contentOf(join(folder, 'cmake'))).toEqual(files);
    // vcpkg is not at hand: its recipe uses CMake's own commands alone, so CMake can run it.
    const port = join(NATIVE, 'vcpkg/footbridge');
    const { version } = JSON.parse(readFileSync(join(port, 'vcpkg.json'), 'utf8')) as { version: string };
    const values = [`-DCURRENT_PACKAGES_DIR=${join(folder, 'vcpkg')}`, `-DVERSION=${version}`];
    run('cmake', [...values, '-P', join(port, 'portfile.cmake')]);
    expect(contentOf(join(folder, 'vcpkg'))).toEqual(files);
  });
});

describe.skipIf(reason !== undefined)(
  `src/native${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    it('is fetched by CMake, as the guide says', async () => {
      const lines = blockOf(guidePath('native-apps'), 'cmake', 'FetchContent_Declare');
      const archive = join(temporaryFolder(), 'footbridge.tgz');
      const names = ['CMakeLists.txt', 'cmake', 'compat', 'footbridge.h', 'footbridge.pc.in'];
      const paths = names.map((name) => `src/native/${name}`);
      // As in the archive of the npm package, one folder has all.
      execFileSync('tar', ['-czf', archive, '--transform', 's,^,package/,', '-C', root, ...paths]);
      await isBuiltBy(
        lines.replace(/^(?:add_exec|target_link).*\n/gm, '').replace(/footbridge-[\d.]+tgz/, archive),
      );
    });

    it.skipIf(!isThere('zig'))(`is a package of Zig${missing('zig')}`, () => {
      const folder = temporaryFolder();
      run('zig', ['build', '--prefix', folder, '--cache-dir', join(folder, 'cache')], { cwd: NATIVE });
      expect(readdirSync(join(folder, 'include'))).toEqual(['footbridge.h']);
    });

    it.skipIf(!isThere('conan'))(`is a package of conan${missing('conan')}`, () => {
      const env = { ...process.env, CONAN_HOME: temporaryFolder() };
      run('conan', ['profile', 'detect'], { env });
      run('conan', ['create', NATIVE], { env });
    });
  },
);
