import { greeting, readingStreams, setActivity } from '../messages.ts';
import { ARRPC, BARE, ECHO, FOOTBRIDGE } from '../peers.ts';
import { withServer } from '../running.ts';
import { mustBeClean } from './requests.ts';
import { apartIfPossible, GENERATOR, generatorShare, less, type Quantity, type Row } from './row.ts';

const QUANTITIES: readonly Quantity[] = [
  { key: 'rate', label: 'messages a second', unit: 'k/s', digits: 1, better: 'higher' },
  less('cpu', 'CPU a request', 'µs', 1),
  GENERATOR,
];

function pipelined(id: string, title: string, shape: Shape): Row {
  return {
    id,
    title,
    quantities: QUANTITIES,
    peers: shape.readsStreams ? [FOOTBRIDGE] : [ECHO, BARE, ARRPC, FOOTBRIDGE],
    async measure(peer, bench) {
      const places = apartIfPossible(bench);
      return withServer(peer, { cpu: places.server }, async (server) => {
        const times = bench.quick
          ? { 'warm-ms': 800, 'measure-ms': 700 }
          : { 'warm-ms': 1000, 'measure-ms': 2000 };
        const { connections, window } = shape;
        const words = {
          path: server.path,
          opening: shape.readsStreams ? readingStreams : greeting,
          request: setActivity,
          pid: server.pid,
          ...times,
        };
        const result = await bench.generator.run('load', { ...words, connections, window }, places.generator);
        mustBeClean(result);
        const { answered = 0, seconds, serverCpuMs } = result;
        return {
          rate: answered / seconds / 1000,
          cpu: (serverCpuMs / answered) * 1000,
          generator: generatorShare(result),
        };
      });
    },
  };
}

interface Shape {
  readonly connections: number;
  readonly window: number;
  /** Whether each connection says that it reads streams, so that its frames do not wait for one another. */
  readonly readsStreams?: boolean;
}

export const throughputRows: readonly Row[] = [
  pipelined('pipelined-1x64', 'SET_ACTIVITY, 1 connection × 64 in flight', { connections: 1, window: 64 }),
  pipelined('pipelined-50x1', 'SET_ACTIVITY, 50 connections × 1 in flight', { connections: 50, window: 1 }),
  pipelined('pipelined-50x16', 'SET_ACTIVITY, 50 connections × 16 in flight', {
    connections: 50,
    window: 16,
  }),
  pipelined('unpaced-1x64', 'SET_ACTIVITY, 1 connection × 64 in flight, that reads streams', {
    connections: 1,
    window: 64,
    readsStreams: true,
  }),
  pipelined('unpaced-50x16', 'SET_ACTIVITY, 50 connections × 16 in flight, that read streams', {
    connections: 50,
    window: 16,
    readsStreams: true,
  }),
];
