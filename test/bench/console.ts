// How soon the console's page is usable, what it weighs, and whether it keeps up. `npm run bench -- console`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { chromiumMissing } from '../helpers/chromium.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { PROGRAM, UNLIMITED } from './built.ts';
import type { CoreFigure } from './cores.ts';
import { FramePeer } from './frame-peer.ts';
import { processorMs } from './process-facts.ts';
import { median } from './statistics.ts';

/** Rows a second: a request and its answer are one. */
const ROWS_PER_SECOND = 5000;
const SECONDS = 8;
const APPS = 8;
const FILES = ['app.js', 'app.css', 'index.html', 'icon.svg'];

/** Measures them all; about a minute. */
export async function measureConsole(passes: number, tell: (text: string) => void): Promise<CoreFigure[]> {
  const files = FILES.map((name) => readFileSync(join(PROGRAM, '../console', name)));
  const kilobytes = (bytes: number[]): number => bytes.reduce((sum, size) => sum + size, 0) / 1000;
  const sizes = [
    {
      name: 'script, style and page',
      value: kilobytes(files.map(({ length }) => length)),
      most: 200,
      unit: 'KB',
    },
    {
      name: 'the same, compressed',
      value: kilobytes(files.map((file) => gzipSync(file).length)),
      most: 70,
      unit: 'KB',
    },
  ];
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
      const open = await underLoad(context, daemon.endpoint);
      tell('what the open page costs the bridge');
      return [...sizes, usable, ...open, await costOfPage(context, daemon, passes)];
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
  return { name: 'navigation to usable, p50', value: median(times), most: 250, unit: 'ms', more };
}

/** The longest task of the page while so many rows a second arrive. */
async function underLoad(context: BrowserContext, endpoint: string): Promise<CoreFigure[]> {
  const [page] = context.pages().slice(-1);
  if (page === undefined) throw new Error('there is no page');
  await page.evaluate("location.hash = '#/traffic'");
  await page.getByRole('heading', { name: 'Traffic' }).waitFor();
  const apps = await Promise.all(Array.from({ length: APPS }, () => FramePeer.open(endpoint)));
  await warm(apps);
  await watchTasks(page);
  const sent = await load(apps, SECONDS);
  const longest = Number(await page.evaluate('Math.max(0, ...window.longTasks)'));
  const missed =
    /(\d+) missed/.exec((await page.getByRole('status').allTextContents()).join(' '))?.[1] ?? '0';
  const rate = sent / SECONDS;
  return [
    { name: `longest task of the page at ${rate.toFixed(0)} rows/s`, value: longest, most: 50, unit: 'ms' },
    { name: 'entries that the page missed', value: Number(missed), most: 0, unit: '' },
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
    const due = ((performance.now() - begun) / 1000) * ROWS_PER_SECOND - sent;
    const batch = Array.from({ length: Math.min(APPS * 8, Math.max(0, Math.floor(due))) }, (_, index) =>
      apps[index % APPS]?.request('SET_ACTIVITY', { pid: 1, activity: { state: `frame ${sent + index}` } }),
    );
    sent += batch.length;
    await Promise.all([...batch, sleep(1)]);
  }
  return sent;
}

/** Processor time of the bridge for a request of one app, with the page open, over that without. */
async function costOfPage(
  context: BrowserContext,
  { endpoint, pid }: { readonly endpoint: string; readonly pid: number },
  passes: number,
): Promise<CoreFigure> {
  const [page] = context.pages().slice(-1);
  if (page === undefined) throw new Error('there is no page');
  const { origin } = new URL(page.url());
  const app = await FramePeer.open(endpoint);
  const ratios: number[] = [];
  for (let pass = 0; pass < passes; pass += 1) {
    await page.goto('about:blank');
    const without = await costOfRequests(app, pid);
    await page.goto(origin);
    await page.getByText('Bridge up').waitFor();
    ratios.push((await costOfRequests(app, pid)) / without);
  }
  app.close();
  const more = ` (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  return {
    name: "the bridge's cost of a request with the page open, ÷ without",
    value: median(ratios),
    most: 1.05,
    unit: '×',
    more,
  };
}

/** Processor time of a request, in ms: one at a time, for two seconds. */
async function costOfRequests(app: FramePeer, pid: number): Promise<number> {
  const begun = processorMs(pid);
  const end = performance.now() + 2000;
  let sent = 0;
  for (; performance.now() < end; sent += 1)
    await app.request('SET_ACTIVITY', { pid: 1, activity: { state: `frame ${sent}` } });
  return (processorMs(pid) - begun) / sent;
}
