import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { greeting } from '../messages.ts';
import { ARRPC, BARE, FOOTBRIDGE } from '../peers.ts';
import { residentBytes } from '../process-facts.ts';
import { withServer } from '../running.ts';
import { type Bench, less, NotMeasured, type Row } from './row.ts';

/** The first connections pay for what is made once. */
const FIRST = 100;
/** Files that a process needs besides its connections. */
const SPARE_FILES = 300;

/** Clients that have shaken hands and say nothing more. */
function resting(count: number): Row {
  return {
    id: `resting-${count}`,
    title: `${count.toLocaleString('en')} resting clients`,
    quantities: [less('each', 'memory of one', 'KB', 1), less('opened', 'time to open all', 's', 2)],
    peers: [BARE, ARRPC, FOOTBRIDGE],
    measure(peer, bench) {
      if (openFiles() < count + SPARE_FILES)
        throw new NotMeasured(`a process may open ${openFiles()} files here (ulimit -Hn)`);
      return withServer(peer, { raised: true }, async ({ path, pid }) => {
        const rest = async (clients: number) => {
          const working = bench.generator.start('rest', { path, opening: greeting, count: clients });
          await working.started;
          return working;
        };
        const first = await rest(FIRST);
        const before = await settled(pid, bench);
        const begin = performance.now();
        const others = await rest(count);
        const opened = (performance.now() - begin) / 1000;
        const after = await settled(pid, bench);
        await Promise.all([first.stop(), others.stop()]);
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
