// @ts-check
// Makes a checkout ready: installs the packages of the build as the lock file says when node_modules differs from it,
// with the argument `tests` those of test/ too, and with `build` makes dist/ when a source file is newer. Prints to
// stderr only: stdout belongs to the command.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuseOldNode } from './old-node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['src', 'platform', 'service', '.ci', 'package.json', 'package-lock.json', 'tsconfig.json'];

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
refuseOldNode(manifest.engines.node.replace('>=', ''));
const words = process.argv.slice(2);
installIfNeeded(words.includes('tests'));
if (words.includes('build')) buildIfNeeded();

/** @param {boolean} tests */
function installIfNeeded(tests) {
  const stamp = join(root, 'node_modules', '.footbridge-lock');
  const lockFile = join(root, 'package-lock.json');
  const lock = readFileSync(lockFile);
  const wanted = createHash('sha256').update(lock).digest('hex');
  const [installed, extent] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  const hasTests = extent === 'tests';
  if (installed === wanted && (hasTests || !tests)) return;
  // Gone until all is there: what was interrupted is begun again.
  rmSync(stamp, { force: true });
  process.stderr.write('footbridge: installing dependencies from package-lock.json …\n');
  // `npm ci` would first delete what is installed already.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const all = tests || hasTests;
  const what = ['--include=dev', '--include=optional', `--workspaces=${all}`, '--include-workspace-root'];
  run('npm', ['install', ...quiet, ...what]);
  if (!readFileSync(lockFile).equals(lock)) writeFileSync(lockFile, lock);
  writeFileSync(stamp, `${wanted} ${all ? 'tests' : 'build'}`);
}

function buildIfNeeded() {
  // The folder takes its place when all of it is made.
  const built = join(root, 'dist', 'footbridge.js');
  if (existsSync(built) && newest(SOURCES.map((name) => join(root, name))) < statSync(built).mtimeMs) return;
  process.stderr.write('footbridge: building dist …\n');
  run(process.execPath, ['--import', 'tsx', join(root, '.ci', 'build.ts')]);
}

/** @param {readonly string[]} paths @returns {number} */
function newest(paths) {
  return Math.max(
    ...paths.map((path) => {
      const status = statSync(path);
      const inside = status.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
      // A folder's own time changes when a file in it is removed.
      return Math.max(status.mtimeMs, newest(inside));
    }),
  );
}

/** @param {string} command @param {readonly string[]} args */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  process.stderr.write(`footbridge: ${command} failed${error ? `: ${error.message}` : ''}\n`);
  process.exit(status ?? 1);
}
