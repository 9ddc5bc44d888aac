import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { CHROMIUM, hasChromium, headless } from './headless.ts';

/** Installs Debian's Chromium where that may be done; returns why there is none otherwise. */
export function chromiumMissing(): string | undefined {
  if (hasChromium()) return undefined;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `${CHROMIUM} is not there`;
  const flags = ['install', '-y', '--no-install-recommends', 'chromium'];
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 240_000 };
  for (const command of [flags, ['update'], flags]) {
    spawnSync('apt-get', command, { ...options, stdio: 'ignore' });
    if (hasChromium()) return undefined;
  }
  return 'apt-get cannot install chromium';
}

/** A headless browser with a profile of its own; it ends with the test. */
export async function chromium() {
  const { context, close } = await headless();
  onTestFinished(close);
  return context;
}
