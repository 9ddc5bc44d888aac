// Makes a checkout ready: installs what the lock file says when node_modules differs from it, and with the
// argument `build` makes dist/ when a source file is newer. Prints to stderr only: stdout belongs to the command.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { warm } from './warm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'node_modules', '.footbridge-lock');

installIfNeeded();
if (process.argv[2] === 'build') buildIfNeeded();

function installIfNeeded() {
  const lockFile = join(root, 'package-lock.json');
  const lock = readFileSync(lockFile);
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stderr.write('footbridge: installing dependencies from package-lock.json …\n');
  // `npm ci` refuses a lock whose optional packages for other systems are missing from the registry.
  run('npm', [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--include=dev',
    '--include=optional',
  ]);
  if (!readFileSync(lockFile).equals(lock)) writeFileSync(lockFile, lock);
  writeFileSync(stamp, wanted);
}

function buildIfNeeded() {
  const built = join(root, 'dist', 'footbridge.js');
  const sources = ['src', 'platform', 'service', 'package.json', '.ci', 'package-lock.json'];
  if (existsSync(built) && newest(sources.map((name) => join(root, name))) < statSync(built).mtimeMs) {
    warm(join(root, 'dist'));
    return;
  }
  run(process.execPath, [join(root, '.ci', 'build.mjs')]);
}

function newest(paths) {
  return Math.max(
    0,
    ...paths.filter(existsSync).map((path) => {
      const status = statSync(path);
      // A folder's own time changes when a file in it is removed.
      if (!status.isDirectory()) return status.mtimeMs;
      return Math.max(status.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
    }),
  );
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  process.stderr.write(`footbridge: ${command} failed${error ? `: ${error.message}` : ''}\n`);
  process.exit(status ?? 1);
}
