import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Makes sure that Debian's packages are there, each known by a file that it brings. Returns why one is not, with words
 * for the name of a skipped test; installs what is missing where that may be done.
 */
export function withoutPackages(files: Readonly<Record<string, string>>): string | undefined {
  const missing = () => Object.keys(files).filter((name) => !existsSync(files[name] ?? ''));
  if (missing().length === 0) return undefined;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `${missing().join(', ')} missing`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '--no-install-recommends', ...missing()];
  for (const command of [install, ['update'], install]) {
    spawnSync('apt-get', command, { timeout: 180_000, stdio: 'ignore', env });
    if (missing().length === 0) return undefined;
  }
  return `apt-get cannot install ${missing().join(', ')}`;
}
