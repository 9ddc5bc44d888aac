// How soon the console's page is usable, what it weighs, and whether it keeps up. `npm run bench -- console`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { chromiumMissing } from '../helpers/chromium.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { PROGRAM, UNLIMITED } from './built.ts';
import type { CoreFigure } from './cores.ts';
import { FramePeer } from './frame-peer.ts';
import { median } from './statistics.ts';

const FRAMES_PER_SECOND = 1000;
const SECONDS = 8;
const APPS = 8;
const FILES = ['app.js', 'app.css', 'index.html', 'icon.svg'];

/** Measures them all; about half a minute. */
export async function measureConsole(passes: number, tell: (text: string) => void): Promise<CoreFigure[]> {
  const kilobytes = FILES.reduce(
    (sum, name) => sum + statSync(join(PROGRAM, '../console', name)).size / 1000,
    0,
  );
  const size = { name: 'script, style and page', value: kilobytes, most: 120, unit: 'KB' };
  const missing = chromiumMissing();
  if (missing !== undefined) throw new Error(`the page needs a browser: ${missing}`);
  const daemon = await startDaemon({
    args: ['--consent', 'allow', '--http-port', '0', '--ws-port', 'off'],
    env: UNLIMITED,
  });
  const console = spawn(process.execPath, [PROGRAM, 'console', '--no-open', '--json'], {
    env: { ...process.env, ...daemon.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-bench-'));
  try {
    const [line] = (await once(console.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString('utf8')) as { readonly url: string };
    const { chromium } = await import('playwright-core');
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: '/usr/bin/chromium',
      headless: true,
      chromiumSandbox: process.getuid?.() !== 0,
    });
    try {
      tell('time to usable');
      const usable = await timesToUsable(context, url, passes);
      tell('frames of the page');
      return [size, usable, ...(await underLoad(context, daemon.endpoint))];
    } finally {
      await context.close();
    }
  } finally {
    console.kill('SIGTERM');
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the navigation until a person can press something: the browser runs already, as theirs does. */
async function timesToUsable(context: BrowserContext, address: string, passes: number): Promise<CoreFigure> {
  const first = await context.newPage();
  await first.goto(address);
  await first.getByRole('heading', { name: 'Overview' }).waitFor();
  const { origin } = new URL(first.url());
  const times: number[] = [];
  for (let pass = 0; pass < passes * 2; pass += 1) {
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(origin);
    await page.getByText('Bridge up').waitFor();
    times.push(performance.now() - begun);
    await page.close();
  }
  const more = ` (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
  return { name: 'navigation to usable, p50', value: median(times), most: 500, unit: 'ms', more };
}

/** The longest a frame of the page took while so many frames of apps a second are shown. */
async function underLoad(context: BrowserContext, endpoint: string): Promise<CoreFigure[]> {
  const [page] = context.pages().slice(-1);
  if (page === undefined) throw new Error('there is no page');
  await page.evaluate("location.hash = '#/frames'");
  await page.getByRole('heading', { name: 'Frames' }).waitFor();
  const apps = await Promise.all(Array.from({ length: APPS }, () => FramePeer.open(endpoint)));
  await warm(apps);
  await watchTasks(page);
  const sent = await load(apps, SECONDS);
  const longest = Number(await page.evaluate('Math.max(0, ...window.longTasks)'));
  const missed =
    /(\d+) missed/.exec((await page.getByRole('status').allTextContents()).join(' '))?.[1] ?? '0';
  const rate = (2 * sent) / SECONDS;
  return [
    { name: `longest task of the page at ${rate.toFixed(0)} frames/s`, value: longest, most: 50, unit: 'ms' },
    { name: 'frames that the page missed', value: Number(missed), most: 0, unit: '' },
  ];
}

async function warm(apps: readonly FramePeer[]): Promise<void> {
  await load(apps, 3);
}

/** What the browser itself calls long: a task of 50 ms and more. */
async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(
    "window.longTasks = []; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longTasks.push(duration); }).observe({ type: 'longtask' });",
  );
}

/** Requests and their answers, evenly; resolves with how many requests. */
async function load(apps: readonly FramePeer[], seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let sent = 0;
  const begun = performance.now();
  while (performance.now() < end) {
    const due = ((performance.now() - begun) / 1000) * (FRAMES_PER_SECOND / 2) - sent;
    const batch = Array.from({ length: Math.min(APPS, Math.max(0, Math.floor(due))) }, (_, index) =>
      apps[index]?.request('SET_ACTIVITY', { pid: 1, activity: { state: `frame ${sent + index}` } }),
    );
    sent += batch.length;
    await Promise.all([...batch, sleep(1)]);
  }
  return sent;
}
