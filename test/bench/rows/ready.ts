import { greeting } from '../messages.ts';
import { ARRPC, BARE, ECHO, FOOTBRIDGE } from '../peers.ts';
import { withServer } from '../running.ts';
import { GENERATOR, generatorShare, less, type Row, sameCore } from './row.ts';

/** From connect() to READY, one connection after the other. */
export const readyRow: Row = {
  id: 'ready',
  title: 'connect to READY, same core',
  quantities: [
    less('p50', 'p50', 'µs', 0),
    less('p99', 'p99', 'µs', 0),
    less('cpu', 'CPU a connection', 'µs', 0),
    GENERATOR,
  ],
  peers: [ECHO, BARE, ARRPC, FOOTBRIDGE],
  measure(peer, bench) {
    const places = sameCore(bench);
    return withServer(peer, { cpu: places.server }, async ({ path, pid }) => {
      const counts = bench.quick ? { warm: 300, count: 500 } : { warm: 1000, count: 3000 };
      const words = { path, opening: greeting, pid, ...counts };
      const result = await bench.generator.run('connect', words, places.generator);
      if (result.refused !== 0) throw new Error(`${result.refused} connections were refused`);
      const { p50, p99, count, serverCpuMs } = result;
      return { p50, p99, cpu: (serverCpuMs / count) * 1000, generator: generatorShare(result) };
    });
  },
};
