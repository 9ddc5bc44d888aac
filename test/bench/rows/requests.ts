import { getVoiceSettings, setActivity, signedIn } from '../messages.ts';
import { ARRPC, BARE, ECHO, FOOTBRIDGE, type Peer, type PeerName } from '../peers.ts';
import { withServer } from '../running.ts';
import {
  apart,
  type Bench,
  GENERATOR,
  generatorShare,
  less,
  type Places,
  type Row,
  sameCore,
} from './row.ts';

const QUANTITIES = [
  less('p50', 'p50', 'µs', 1),
  less('p99', 'p99', 'µs', 0),
  less('p999', 'p99.9', 'µs', 0),
  less('cpu', 'CPU a request', 'µs', 1),
  GENERATOR,
] as const;

/** One connection, one request in flight: what an app waits for. */
function oneAtATime(
  id: string,
  title: string,
  peers: readonly PeerName[],
  places: (bench: Bench) => Places,
): Row {
  return {
    id,
    title,
    quantities: QUANTITIES,
    peers,
    measure: (peer, bench) => measure(peer, bench, places(bench), id),
  };
}

async function measure(peer: Peer, bench: Bench, places: Places, id: string) {
  const asksVoice = id.startsWith('voice');
  return withServer(peer, { cpu: places.server }, async (server) => {
    const opening = signedIn(asksVoice ? await server.token('rpc') : undefined);
    const request = asksVoice ? getVoiceSettings : setActivity;
    const times = bench.quick
      ? { 'warm-ms': 800, 'measure-ms': 700 }
      : { 'warm-ms': 1000, 'measure-ms': 2000 };
    const words = { path: server.path, opening, request, pid: server.pid, ...times };
    const result = await bench.generator.run('load', words, places.generator);
    mustBeClean(result);
    const { p50, p99, p999, serverCpuMs, answered = 0 } = result;
    return { p50, p99, p999, cpu: (serverCpuMs / answered) * 1000, generator: generatorShare(result) };
  });
}

/** A load whose answers were errors, or nobody's, measured something else. */
export function mustBeClean({
  answered = 0,
  errors = 0,
  wrong = 0,
}: {
  readonly answered?: number;
  readonly errors?: number;
  readonly wrong?: number;
}): void {
  if (answered > 0 && errors === 0 && wrong === 0) return;
  throw new Error(`${answered} answers, ${errors} errors among them, and ${wrong} answers to nothing`);
}

const ALL: readonly PeerName[] = [ECHO, BARE, ARRPC, FOOTBRIDGE];
/** arRPC does not answer it. */
const VOICE: readonly PeerName[] = [ECHO, BARE, FOOTBRIDGE];

export const requestRows: readonly Row[] = [
  oneAtATime('activity-same', 'SET_ACTIVITY, one in flight, same core', ALL, sameCore),
  oneAtATime('activity-apart', 'SET_ACTIVITY, one in flight, cores apart', ALL, apart),
  oneAtATime('voice-same', 'GET_VOICE_SETTINGS, one in flight, same core', VOICE, sameCore),
  oneAtATime('voice-apart', 'GET_VOICE_SETTINGS, one in flight, cores apart', VOICE, apart),
];
