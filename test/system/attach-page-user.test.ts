import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../helpers/chromium.ts';
import { PLAIN_USER } from './sandbox.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const missing = whyNot();
if (missing !== undefined)
  process.stderr.write(`skipped: the page in Chromium as a plain user: ${missing}\n`);

// Root's Chromium has to run without its sandbox, and root may do what a user may not.
it.skipIf(missing !== undefined)(
  `the page in Chromium passes its tests as a plain user, with the sandbox of Chromium${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    const home = mkdtempSync(join(realpathSync(tmpdir()), 'fb-user-'));
    chownSync(home, PLAIN_USER, PLAIN_USER);
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const config = ['--config', join(ROOT, 'test/system/vitest.config.ts'), '--configLoader', 'runner'];
    const words = [vitest, 'run', ...config, '--reporter=json', 'test/system/attach-page.test.ts'];
    const { stdout, stderr } = asUser([process.execPath, ...words], home);
    expect(stdout, stderr).toMatch(/^\{/);
    const report = JSON.parse(stdout) as Record<string, unknown>;
    expect({ report, stderr }).toMatchObject({
      report: { success: true, numPassedTests: 2, numTotalTests: 2 },
    });
  },
);

function asUser(argv: readonly string[], home: string) {
  const user = ['--reuid', String(PLAIN_USER), '--regid', String(PLAIN_USER), '--clear-groups'];
  const env = ['env', '-i', `PATH=${process.env['PATH']}`, `HOME=${home}`, `TMPDIR=${home}`];
  return spawnSync('/usr/bin/setpriv', [...user, ...env, ...argv], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 100_000,
  });
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root can become one; others are one';
  const readable = asUser(['test', '-r', join(ROOT, 'test/system/attach-page.test.ts')], '/');
  if (readable.status !== 0) return `a plain user cannot read ${ROOT}`;
  return chromiumMissing();
}
