// How soon the console's page is usable, what it weighs, and whether it keeps up. `npm run bench -- console`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { sendRows, syntheticTraffic } from '../console/page/synthetic.ts';
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
  const read = (name: string): Buffer => readFileSync(join(PROGRAM, '../console', name));
  const files = FILES.map(read);
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
      tell('100,000 rows');
      const many = await manyRows(context);
      tell('what the open page costs the bridge');
      return [...sizes, usable, ...open, ...many, await costOfPage(context, daemon, passes)];
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
    /([\d,]+) entries missed/
      .exec((await page.locator('.count').textContent()) ?? '')?.[1]
      ?.replace(',', '') ?? '0';
  const rate = sent / SECONDS;
  return [
    { name: `longest task of the page at ${rate.toFixed(0)} rows/s`, value: longest, most: 50, unit: 'ms' },
    { name: 'entries that the page missed', value: Number(missed), most: 0, unit: '' },
  ];
}

const ROWS = 100_000;
/** Filters with costs of their own, which let through different numbers: a field, a pattern, words in bodies, a name. */
const FILTERS = ['status:error', 're:number.*99', '"no boat" -cmd:PING', 'app:3000 ms:>5'];

/** The list when it is full: tasks while rows come, filters over all of them, and the memory of the page. */
async function manyRows(context: BrowserContext): Promise<CoreFigure[]> {
  const [last] = context.pages().slice(-1);
  if (last === undefined) throw new Error('there is no page');
  const page = await syntheticTraffic({ page: last, origin: new URL(last.url()).origin });
  await sendRows(page, ROWS);
  await page.getByText('100,000 rows').waitFor();
  await watchTasks(page);
  const rounds = SECONDS * 10;
  for (let round = 0; round < rounds; round += 1) {
    await sendRows(page, ROWS_PER_SECOND / 10);
    await sleep(90);
  }
  const longest = Number(await page.evaluate('Math.max(0, ...window.longTasks)'));
  const times: number[] = [];
  for (const filter of FILTERS)
    times.push(Number(await page.evaluate(`(${TIME_FILTER})(${JSON.stringify(filter)})`)));
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await page.close();
  const each = ` (${FILTERS.map((filter, index) => `${filter} ${times[index]?.toFixed(0)}`).join(', ')})`;
  return [
    { name: 'longest task of the page at 5,000 rows/s, full', value: longest, most: 50, unit: 'ms' },
    {
      name: 'filter over 100,000 rows, slowest',
      value: Math.max(...times),
      most: 100,
      unit: 'ms',
      more: each,
    },
    { name: 'memory of the page with 100,000 rows', value: usedSize / 1_000_000, most: 250, unit: 'MB' },
  ];
}

/** Time from a change of the filter until the list says its result (ms). */
const TIME_FILTER = `(text) => new Promise((resolve) => {
  const input = document.querySelector('[aria-label=Filter]');
  const count = document.querySelector('.count');
  const before = count.textContent;
  const begun = performance.now();
  const observer = new MutationObserver(() => {
    if (count.textContent === before || count.textContent.includes('looking')) return;
    observer.disconnect();
    resolve(performance.now() - begun);
  });
  observer.observe(count, { characterData: true, childList: true, subtree: true });
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
})`;

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
