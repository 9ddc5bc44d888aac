// `npm run screenshots`: the pictures of the console, in README light and dark and on the console's own page light. They
// show a bridge with the emulator, and the app of `screenshots-app.ts`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { controlClient } from '../src/control/client.ts';
import { type Daemon, startDaemon } from '../test/helpers/daemon.ts';
import { headless } from '../test/helpers/headless.ts';
import { root } from './bundle.ts';

type ControlClient = ReturnType<typeof controlClient>;

for (const program of ['chromium', 'pngquant'])
  if (spawnSync(program, ['--version']).status !== 0)
    throw new Error(`The pictures need ${program}, of the Debian package with this name.`);

const daemon = await startDaemon({
  args: ['--consent', 'ask', '--http-port', '0'],
  env: { FOOTBRIDGE_CONSOLE: 'true', FOOTBRIDGE_NOTIFICATIONS: 'false' },
});
const browser = await headless();
let app: ChildProcess | undefined;
try {
  const control = controlClient({
    folder: { os: process.platform === 'darwin' ? 'darwin' : 'linux', uid: process.getuid?.() },
    env: daemon.env,
  });
  app = await startApp(daemon, control);
  const { url } = (await control.call('console.address', {})) as { readonly url: string };
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 1000, height: 500 });
  await page.goto(url);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await showFrames(page, new URL(url).origin);
    await take(page, 'frames', scheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await show(page, new URL(url).origin, 'requests');
  await take(page, 'requests', 'light');
} finally {
  app?.kill();
  await browser.close();
  await daemon.stop();
}

/** Starts the app and allows its first request; resolves once it waits for its second one. */
async function startApp({ endpoint, ready }: Daemon, control: ControlClient): Promise<ChildProcess> {
  const file = join(root, '.ci/screenshots-app.ts');
  const app = spawn(process.execPath, ['--import', 'tsx', file, endpoint, ready.api], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const id = await waiting(control);
  await control.call('requests.approve', { id });
  await waiting(control, id);
  return app;
}

/** The id of a request that waits and is not this one. */
async function waiting(control: ControlClient, other?: string): Promise<string> {
  for (;;) {
    const all = (await control.call('requests.list', {})) as readonly { readonly id: string }[];
    const found = all.find(({ id }) => id !== other);
    if (found !== undefined) return found.id;
    await delay(20);
  }
}

async function show(page: Page, origin: string, view: string): Promise<void> {
  await page.goto(`${origin}/#/${view}`);
  await page
    .getByRole('heading', { level: 1 })
    .filter({ hasText: new RegExp(view, 'i') })
    .waitFor();
}

/** The list of frames, with the answer to SET_ACTIVITY open. */
async function showFrames(page: Page, origin: string): Promise<void> {
  await show(page, origin, 'frames');
  await page.getByRole('option').filter({ hasText: '←' }).filter({ hasText: 'SET_ACTIVITY' }).last().click();
  await page.getByRole('heading', { name: 'SET_ACTIVITY' }).waitFor();
}

/** Saves the page: `console-frames.png` is light, `console-frames-dark.png` dark. */
async function take(page: Page, view: string, scheme: 'light' | 'dark'): Promise<void> {
  await page.mouse.move(0, 0);
  // Colours change gradually.
  await page.waitForTimeout(700);
  const name = `console-${view}${scheme === 'dark' ? '-dark' : ''}.png`;
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  // So many colours are enough for a page of text, and the package has to stay small.
  const { stdout: png, stderr, status } = spawnSync('pngquant', ['--strip', '16', '-'], { input: picture });
  if (status !== 0) throw new Error(`pngquant failed: ${String(stderr)}`);
  writeFileSync(join(root, '.github', name), png);
  process.stdout.write(`.github/${name}: ${png.length} bytes\n`);
}
