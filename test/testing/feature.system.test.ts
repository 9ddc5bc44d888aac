import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/sockets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FEATURE = join(ROOT, '.github/features/footbridge');
const manifest = JSON.parse(readFileSync(join(FEATURE, 'devcontainer-feature.json'), 'utf8'));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Runs install.sh as the tool of dev containers does: in a copy of the folder, with the options as variables. */
function install(
  given: { readonly package?: string; readonly path?: () => string; readonly tarball?: string } = {},
) {
  const folder = temporaryFolder();
  cpSync(FEATURE, join(folder, 'feature'), { recursive: true });
  if (given.tarball !== undefined) cpSync(given.tarball, join(folder, 'feature', 'footbridge.tgz'));
  const prefix = join(folder, 'prefix');
  const env = {
    PATH: given.path?.() ?? `${join(prefix, 'bin')}:${process.env['PATH']}`,
    HOME: folder,
    PACKAGE: given.package ?? manifest.options.package.default,
    // A container has its registry and its own prefix; the native package is optional.
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    npm_config_omit: 'optional',
  };
  const run = (command: string) => spawnSync('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
  return { run, ...run('./feature/install.sh') };
}

/** A folder of programs with the shell, its tools and this `node`. */
function programs(node?: string): string {
  const bin = temporaryFolder();
  for (const name of ['sh', 'dirname', 'realpath'])
    writeFileSync(join(bin, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 });
  if (node === undefined) return bin;
  writeFileSync(join(bin, 'node'), node, { mode: 0o755 });
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho npm "$@"\n', { mode: 0o755 });
  return bin;
}

describe('the Feature for dev containers', () => {
  let folder: string;
  let tarball: string;
  beforeAll(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-feature-'));
    spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
    tarball = join(folder, `footbridge-${version}.tgz`);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has the version and the name of the package, and installs after Node', () => {
    expect(manifest).toMatchObject({
      id: 'footbridge',
      version,
      installsAfter: [expect.stringMatching(/\/node$/)],
    });
  });

  it('installs the command, which serves an emulator', () => {
    const { status, stdout, stderr, run } = install({ tarball });
    expect({ status, stderr, version: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      status: 0,
      stderr: '',
      version: expect.stringContaining(version),
    });
    expect(run('footbridge emulate -q -- footbridge call GET_GUILDS --scopes rpc')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"River Bank"'),
    });
  }, 120_000);

  it.each([
    [
      { package: 'other.tgz' },
      'there is no other.tgz beside install.sh: npm pack makes one in a checkout of Footbridge.',
    ],
    [{ path: () => programs() }, 'needs Node and npm: add the Feature ghcr.io/devcontainers/features/node.'],
    [
      { path: () => programs('#!/bin/sh\n[ "$1" = --version ] && echo v18.20.0 || exit 1\n') },
      'needs Node 20.19 or newer, and this is v18.20.0.',
    ],
  ])('fails for %o with the remedy', (given, message) => {
    expect(install(given)).toMatchObject({ status: 1, stderr: `footbridge: ${message}\n` });
  });
});
