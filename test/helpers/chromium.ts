import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const PATH = '/usr/bin/chromium';
/** It fetches nothing: whatever it would look up in the background is refused where the network is closed. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Installs Debian's Chromium where that may be done; returns why there is none otherwise. */
export function chromiumMissing(): string | undefined {
  if (existsSync(PATH)) return undefined;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `${PATH} is not there`;
  const flags = ['install', '-y', '--no-install-recommends', 'chromium'];
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 240_000 };
  for (const command of [flags, ['update'], flags]) {
    spawnSync('apt-get', command, { ...options, stdio: 'ignore' });
    if (existsSync(PATH)) return undefined;
  }
  return 'apt-get cannot install chromium';
}

/** A headless browser with a profile of its own; it ends with the test. */
export async function chromium() {
  const playwright = await import('playwright-core');
  const profile = mkdtempSync(join(tmpdir(), 'fb-chromium-'));
  const context = await playwright.chromium.launchPersistentContext(profile, {
    executablePath: PATH,
    headless: true,
    args: FLAGS,
    // The sandbox of Chromium needs a user that is not root.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  onTestFinished(async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  });
  return context;
}
