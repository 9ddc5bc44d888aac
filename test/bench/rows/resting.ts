import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Working } from '../generator/generator.ts';
import { greeting } from '../messages.ts';
import { ARRPC, BARE, FOOTBRIDGE } from '../peers.ts';
import { residentBytes } from '../process-facts.ts';
import { withServer } from '../running.ts';
import { type Bench, less, NotMeasured, type Row } from './row.ts';

/** The first connections pay for what is made once. */
const FIRST = 100;
/** Files that a process needs besides its connections. */
const SPARE_FILES = 300;
/**
 * The parts of them that are each a process of its own, for every server alike: a process may have half of the places that
 * are free, the second a third, and so on, whatever the limits.
 */
const PARTS = [0.6, 0.3, 0.1];
/** For the first part to be a third of what is free beside {@link FIRST}. */
const FILES_EACH = 3 * 0.6;

/** Clients that have shaken hands and say nothing more. */
function resting(count: number): Row {
  return {
    id: `resting-${count}`,
    title: `${count.toLocaleString('en')} resting clients`,
    quantities: [less('each', 'memory of one', 'KB', 1), less('opened', 'time to open all', 's', 2)],
    peers: [BARE, ARRPC, FOOTBRIDGE],
    measure(peer, bench) {
      const files = count * FILES_EACH + SPARE_FILES;
      if (openFiles() < files)
        throw new NotMeasured(`a process may open ${openFiles()} files here (ulimit -Hn), not ${files}`);
      return withServer(peer, { raised: true }, async ({ path, pid }) => {
        const rest = async (clients: number) => {
          const working = bench.generator.start('rest', { path, opening: greeting, count: clients });
          await working.started;
          return working;
        };
        const first = await rest(FIRST);
        const before = await settled(pid, bench);
        const begin = performance.now();
        const others: Working[] = [];
        for (const part of PARTS) others.push(await rest(Math.round(count * part)));
        const opened = (performance.now() - begin) / 1000;
        const after = await settled(pid, bench);
        await Promise.all([first, ...others].map((working) => working.stop()));
        return { each: (after - before) / count / 1000, opened };
      });
    },
  };
}

/** What is in memory once nothing has been asked for a while. */
async function settled(pid: number, { quick }: Bench): Promise<number> {
  await sleep(quick ? 800 : 2000);
  return residentBytes(pid);
}

/** How many files a process may open at most; Infinity where the system has no /proc. */
function openFiles(): number {
  try {
    const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export const restingRows: readonly Row[] = [resting(1000), resting(10_000)];
