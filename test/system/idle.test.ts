import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { faultBridge, isLinux } from '../helpers/fault-bridge.ts';

/** Long enough to see whatever happens once a second or more often (ms). */
const WINDOW_MS = 3000;
/** A clock tick of the kernel's accounts is 10 ms: three are 1 % of a window. */
const MOST_TICKS = 3;
const MOST_KIB = 60 * 1024;

/** proc(5): clock ticks of the process, how often its main thread went to sleep, and what it holds in memory (KiB). */
function look(pid: number): { ticks: number; sleeps: number; rss: number } {
  const after = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    ticks: Number(after[11]) + Number(after[12]),
    sleeps: field('voluntary_ctxt_switches'),
    rss: field('VmRSS'),
  };
}

it.skipIf(!isLinux)('an idle bridge sleeps and uses at most 60 MiB (Linux only) [R20]', async () => {
  const bridge = await faultBridge();
  const app = await bridge.app();
  expect((await app.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
  // What follows the start, once, and the look at the endpoint each 10 s fall into one window at most.
  const idle = async () => {
    const before = look(bridge.pid);
    await sleep(WINDOW_MS);
    const { ticks, sleeps, rss } = look(bridge.pid);
    return [ticks - before.ticks <= MOST_TICKS, sleeps - before.sleeps <= 1, rss <= MOST_KIB];
  };
  await expect.poll(idle, { timeout: 20_000, interval: 0 }).toEqual([true, true, true]);
});
