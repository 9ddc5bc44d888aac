import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Base } from '../api/world.ts';
import type { HasApplications } from '../applications/applications.ts';
import type { Observers } from '../applications/webhooks/post.ts';
import type { HasWebhooks } from '../applications/webhooks/webhooks.ts';
import type { HasInteractions } from '../interactions/interactions.ts';
import { usedIn } from '../interactions/player/interaction-view.ts';
import type { EmulatorClock } from '../kernel/clock.ts';
import type { HasGateway } from './gateway/gateway.ts';
import type { TokenEndpoint } from './http/server.ts';

/** Services of which {@link settle} observes the work. */
export type Settling = Base &
  HasApplications &
  HasGateway &
  HasInteractions &
  HasWebhooks &
  Observers & { readonly clock: EmulatorClock };

/** How to wait. */
export interface SettleOptions {
  /** Longest wait, and time without any traffic after which nothing more is expected (ms of the machine). */
  readonly within: number;
  readonly quiet: number;
  /** Number of connected apps of the RPC protocol. */
  readonly apps: number;
}

/** Outcome of a wait. */
export interface Settlement {
  readonly settled: boolean;
  /** What was still missing at the end; empty for a settled emulator. */
  readonly waiting: readonly string[];
}

/** Number of parts of the quiet time. A process that stands still for a moment misses one of them, not all. */
const SLICES = 5;
/** Pause between two looks (ms): the bots need the processor. */
const PAUSE_MS = 1;

/**
 * Waits until the reactions to what has happened are complete: timers that are due have run, clients of the gateway have
 * read their events, requests, interactions and webhooks are answered, and then nobody does anything for the quiet time.
 * Nobody has to be waited for where nobody is connected.
 */
export async function settle(
  platform: Settling,
  endpoints: () => Iterable<TokenEndpoint>,
  { within, quiet, apps }: SettleOptions,
): Promise<Settlement> {
  const until = AbortSignal.timeout(within);
  const start = trafficOf(platform, endpoints, 0);
  // What was caused in this turn is sent in the next one.
  await nextTurn();
  let seen = -1;
  let slices = 0;
  let waiting: readonly string[] = [];
  for (;;) {
    runDue(platform.clock);
    const reading = await platform.gateway.reading();
    const traffic = trafficOf(platform, endpoints, reading.commands);
    waiting = unfinished(platform, endpoints, reading.unread);
    const isQuiet = waiting.length === 0 && traffic === seen;
    slices = isQuiet ? slices + 1 : 0;
    seen = traffic;
    const isAlone = reading.connections === 0 && apps === 0 && traffic === start;
    if (waiting.length === 0 && (isAlone || quiet === 0 || slices >= SLICES))
      return { settled: true, waiting: [] };
    if (until.aborted) break;
    await delay(waiting.length > 0 ? PAUSE_MS : quiet / SLICES);
  }
  if (waiting.length === 0) waiting = ['a pause of the traffic, which does not end'];
  return { settled: false, waiting };
}

/** Runs the timers that are due by now, which a busy process may not have come to. */
function runDue(clock: EmulatorClock): void {
  const { next } = clock;
  if (next !== undefined && next <= clock.now()) clock.advance(0);
}

/** A number that is larger after any traffic. */
function trafficOf(
  { journal }: Settling,
  endpoints: () => Iterable<TokenEndpoint>,
  commands: number,
): number {
  let sum = (journal?.last ?? 0) + commands;
  for (const endpoint of endpoints()) sum += endpoint.requests().all;
  return sum;
}

function unfinished(
  platform: Settling,
  endpoints: () => Iterable<TokenEndpoint>,
  unread: readonly string[],
): readonly string[] {
  const nameOf = (application: string): string =>
    platform.application(application)?.record.name ?? application;
  let open = 0;
  for (const endpoint of endpoints()) open += endpoint.requests().open;
  return [
    ...unread.map((application) => `${nameOf(application)}, to read its events of the gateway`),
    ...(open === 0
      ? []
      : [`${open === 1 ? 'a request' : `${open} requests`} to the HTTP API, to be answered`]),
    ...platform.interactions.unanswered.map((one) => `${nameOf(one.application)}, to answer ${usedIn(one)}`),
    ...(platform.webhooks.isBusy ? ['a webhook, to be answered'] : []),
  ];
}
