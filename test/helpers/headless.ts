import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';

/** Debian's Chromium, of the package `chromium`. */
export const CHROMIUM = '/usr/bin/chromium';
/** It fetches nothing: whatever it would look up in the background is refused where the network is closed. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A headless browser with a profile of its own. */
export interface Headless {
  readonly context: BrowserContext;
  readonly close: () => Promise<void>;
}

/** Whether there is a browser. */
export function hasChromium(): boolean {
  return existsSync(CHROMIUM);
}

/** Starts the browser. */
export async function headless(): Promise<Headless> {
  const playwright = await import('playwright-core');
  const profile = mkdtempSync(join(tmpdir(), 'fb-chromium-'));
  const context = await playwright.chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: FLAGS,
    // The sandbox of Chromium needs a user that is not root.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
