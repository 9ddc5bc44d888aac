import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeTaskSchema } from '../service/task-schema.ts';

const missing = xmllintMissing();
if (missing !== undefined) process.stderr.write(`the schema of Task Scheduler: skipped, ${missing}\n`);
describeTaskSchema();

it.skipIf(missing !== undefined)(
  `xmllint is installed${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    expect(spawnSync('xmllint', ['--version']).status).toBe(0);
  },
);

/** Installs Debian's where that may be done; returns why there is none otherwise. */
function xmllintMissing(): string | undefined {
  if (spawnSync('xmllint', ['--version']).status === 0) return undefined;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return 'xmllint is not there';
  const words = ['install', '-y', '--no-install-recommends', 'libxml2-utils'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of [words, ['update'], words]) {
    spawnSync('apt-get', command, { timeout: 120_000, stdio: 'ignore', env });
    if (spawnSync('xmllint', ['--version']).status === 0) return undefined;
  }
  return 'apt-get cannot install libxml2-utils';
}
