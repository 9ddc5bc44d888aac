import type { Generator } from '../generator/generator.ts';
import { readingStreams, signedIn } from '../messages.ts';
import type { Peer } from '../peers.ts';
import { type Running, withServer } from '../running.ts';
import type { Load } from './loads.ts';

/** Slices of each server before its figures count: until V8 has compiled what is hot. */
const WARM_SLICES = 6;
/** Slices of each server that count. */
const ROUNDS = 12;

/** Processor time per request (µs), round by round, of each server in the order given, by the load's id. */
export type Costs = ReadonlyMap<string, readonly (readonly number[])[]>;

/**
 * Starts all servers once, side by side on one processor, and lets them serve each load in turns of a few hundredths of
 * a second: what slows the machine meanwhile slows all of them. The generator is on the same processor: it only runs
 * when the server waits, so that how much a server finds to read depends little on other processors.
 */
export async function takeTurns(
  servers: readonly Peer[],
  loads: readonly Load[],
  generator: Generator,
  cpu: number | undefined,
): Promise<Costs> {
  return withServers(servers, cpu, [], async (running) => {
    const costs = new Map<string, readonly (readonly number[])[]>();
    for (const load of loads) costs.set(load.id, await measureLoad(running, load, generator, cpu));
    return costs;
  });
}

async function withServers<T>(
  servers: readonly Peer[],
  cpu: number | undefined,
  running: readonly Running[],
  body: (running: readonly Running[]) => Promise<T>,
): Promise<T> {
  const [next, ...others] = servers;
  if (!next) return body(running);
  return withServer(next, { raised: true, cpu }, (server) =>
    withServers(others, cpu, [...running, server], body),
  );
}

async function measureLoad(
  running: readonly Running[],
  load: Load,
  generator: Generator,
  cpu: number | undefined,
): Promise<readonly (readonly number[])[]> {
  const { request, connections, window, count } = load;
  const slicings = [];
  for (const server of running) {
    const token = load.authenticated ? await server.token('rpc') : undefined;
    const opening = load.readsStreams ? readingStreams : signedIn(token);
    const words = { path: server.path, pid: server.pid, opening, connections, window };
    slicings.push(await generator.slices(request === undefined ? words : { ...words, request }, cpu));
  }
  const rounds: number[][] = [];
  for (let round = -WARM_SLICES; round < ROUNDS; round++) {
    // Each is first and last equally often: the first finds what others left in the caches.
    const order = slicings.map((_, n) => (round % 2 === 0 ? n : slicings.length - 1 - n));
    const costs: number[] = [];
    for (const n of order) {
      const slice = await slicings[n]?.next(count);
      costs[n] = ((slice?.serverCpuMs ?? Number.NaN) / count) * 1000;
    }
    if (round >= 0) rounds.push(costs);
  }
  for (const slicing of slicings) await slicing.end();
  return running.map((_, n) => rounds.map((costs) => costs[n] ?? Number.NaN));
}
