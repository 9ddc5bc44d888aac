import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { bundlePage } from '../../../.ci/bundle.ts';
import { serveConsole } from '../../../src/console/console.ts';
import { type ControlClient, controlClient } from '../../../src/control/client.ts';
import type { ControlStatus } from '../../../src/control/routes.ts';
import { type StartEmulatorOptions, startEmulator, type TestEmulator } from '../../../src/testing/testing.ts';
import { chromium } from '../../helpers/chromium.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';

/** A console of a bridge of its own, in a browser. */
export interface Opened {
  readonly emulator: TestEmulator;
  readonly page: Page;
  /** Address of the page, without a path. */
  readonly origin: string;
  /** Another one-time address. */
  readonly address: () => string;
  /** Goes to a view, such as `frames`. */
  readonly view: (name: string) => Promise<void>;
  /** What the browser complained of so far. */
  readonly complaints: readonly string[];
}

/** What the console hands out as a report for a bug. */
export const BUGREPORT = { name: 'footbridge-bugreport.txt', text: 'Versions\nfootbridge 0.1.0\n' };

/** Opens the console of a private emulator in Chromium, as a person does; all of it ends with the test. */
export async function opened(
  options: StartEmulatorOptions = { consent: 'ask' },
  /** Changes what the bridge says of itself. */
  changed: (status: ControlStatus) => ControlStatus = (status) => status,
): Promise<Opened> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  const client = controlClient({ folder: { os: 'linux', uid: process.getuid?.() }, env: emulator.env });
  const status = async () => changed((await client.status()) as ControlStatus);
  return { emulator, ...(await openedOn({ ...client, status })) };
}

/** Opens the console of a bridge in Chromium; it ends with the test. */
export async function openedOn(
  client: Pick<ControlClient, 'status' | 'operations' | 'operation' | 'call'>,
): Promise<Omit<Opened, 'emulator'>> {
  const folder = mkdtempSync(join(tmpdir(), 'fb-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await bundlePage(folder);
  const served = await serveConsole(
    {
      status: () => client.status(),
      operations: () => client.operations(),
      operation: (name) => client.operation(name),
      call: (name, args, forProcesses) =>
        client.call(name, args, { timeoutMs: 40_000, slowness: 'expected', forProcesses }),
      doctor: async () => ({
        checks: [
          { id: 'node', verdict: 'ok', evidence: ['Node is there'], fix: null },
          {
            id: 'data-folder',
            verdict: 'warning',
            evidence: ['too open'],
            fix: 'chmod 0700 /data (it is safe)',
          },
          { id: 'bridge', verdict: 'failed', evidence: ['none runs'], fix: 'footbridge run' },
          { id: 'snap', verdict: 'not applicable', evidence: ['no snaps'], fix: null },
        ],
      }),
      bugreport: async () => BUGREPORT,
    },
    { uid: process.getuid?.(), readFile: (name) => readFileSync(join(folder, name)) },
  );
  onTestFinished(() => served.close());
  const context = await chromium();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(served.address());
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const origin = `http://127.0.0.1:${served.port}`;
  return {
    page,
    origin,
    complaints,
    address: () => served.address(),
    view: async (name) => {
      await page.goto(`${origin}/#/${name}`);
      await page
        .getByRole('heading', { level: 1 })
        .filter({ hasText: new RegExp(name, 'i') })
        .waitFor();
    },
  };
}
