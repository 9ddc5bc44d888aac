import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Those that Debian has besides bash; the tests of the completion skip one that is not there. */
const missing = ['zsh', 'fish'].filter((shell) => spawnSync(shell, ['-c', 'exit 0']).status !== 0);
if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', ...missing]])
    spawnSync('apt-get', command, { timeout: 120_000, stdio: 'ignore', env });
}
await import('../cli/completion/completion.program.test.ts');

it('bash is installed', () => {
  expect(spawnSync('bash', ['-c', 'exit 0']).status).toBe(0);
});
