import { setTimeout as sleep } from 'node:timers/promises';
import { greeting } from '../messages.ts';
import { ARRPC, BARE, ECHO, FOOTBRIDGE } from '../peers.ts';
import { residentBytes } from '../process-facts.ts';
import { withServer } from '../running.ts';
import { median } from '../statistics.ts';
import { less, type Row } from './row.ts';

/** Starts in a pass; their median is the pass's. */
const STARTS = 3;

/** From the start of the process, with default settings and everything on that is on by default. */
export const startRow: Row = {
  id: 'start',
  title: 'start, and at rest',
  quantities: [
    less('listening', 'listening', 'ms', 0),
    less('cpu', 'CPU until then', 'ms', 0),
    less('rss', 'idle RSS', 'MB', 1),
  ],
  peers: [ECHO, BARE, ARRPC, FOOTBRIDGE],
  async measure(peer, bench) {
    const starts: { readonly listeningMs: number; readonly listeningCpuMs: number }[] = [];
    for (let n = 1; n < STARTS; n++)
      starts.push(await withServer(peer, {}, (server) => Promise.resolve(server)));
    return withServer(peer, {}, async (server) => {
      starts.push(server);
      await bench.generator.run('connect', { path: server.path, opening: greeting, count: 1 });
      await sleep(bench.quick ? 1500 : 3000);
      return {
        listening: median(starts.map(({ listeningMs }) => listeningMs)),
        cpu: median(starts.map(({ listeningCpuMs }) => listeningCpuMs)),
        rss: residentBytes(server.pid) / 1e6,
      };
    });
  },
};
