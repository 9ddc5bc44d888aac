import { once } from 'node:events';
import { platform } from 'node:os';
import { inParallel, runController, runInPlace } from '../case-runner.ts';
import { Unavailable } from '../failure.ts';
import type { Options } from '../options.ts';
import type { Settings } from '../settings.ts';
import type { Suite } from '../suite.ts';
import { formatExit, withLastOutput } from '../target/process.ts';
import type { Result } from '../verdict.ts';
import { answerCases } from './answers.ts';
import type { ClientCase } from './case.ts';
import { framingCases } from './framing.ts';
import { handshakeCases } from './handshake.ts';
import { recoveryCases } from './recovery.ts';
import { searchCases } from './search.ts';
import { Stage } from './stage.ts';
import { streamCases } from './streams.ts';
import { trafficCases } from './traffic.ts';

/** Every case of the client suite. */
export const clientCases: readonly ClientCase[] = [
  ...searchCases,
  ...handshakeCases,
  ...framingCases,
  ...trafficCases,
  ...streamCases,
  ...answerCases,
  ...recoveryCases,
];

/** Number of concurrent clients: each is a process, but most of them wait. */
const SIDE_BY_SIDE = 12;

/** Client suite for the command of the options. */
export function clientSuite(options: Options): Suite {
  return {
    target: options.command ?? '',
    all: clientCases,
    omitted: clientCases
      .filter((one) => one.unixOnly && platform() === 'win32')
      .map((one) => ({ case: one, reason: 'it is about folders, which pipes have not' })),
    reach: () => reachClient(options.command ?? '', options.settings),
    run: (cases, onResult, signal) => {
      const chosen = new Set(cases);
      const own = clientCases.filter((one) => chosen.has(one));
      return runClientCases(own, options.command ?? '', options.settings, onResult, signal);
    },
  };
}

/**
 * Starts the client once. Throws {@link Unavailable} for a command that ends without a connection and without a line of
 * the contract: each case would wait for a connection and fail in the same way.
 */
async function reachClient(command: string, settings: Settings): Promise<void> {
  const stage = new Stage(settings, command);
  try {
    const endpoint = await stage.open();
    const client = stage.start('idle');
    // Only an early end makes the client unavailable: the cases themselves test a client that runs but does not
    // connect, or that reports a reason.
    const arrival = endpoint.visitor().catch(() => undefined);
    const interrupted = settings.signal === undefined ? [] : [once(settings.signal, 'abort')];
    await Promise.race([arrival, client.process.ended, ...interrupted]);
    const { exit } = client.process;
    if (exit === undefined || endpoint.visits > 0 || client.hasReported) return;
    const how = `it ended before it connected, with ${formatExit(exit)}`;
    throw new Unavailable(withLastOutput(how, client.process.lastOutput()));
  } finally {
    await stage.close();
  }
}

/** Runs the cases concurrently, each with its own client; returns the results in the order of `cases`. */
export async function runClientCases(
  cases: readonly ClientCase[],
  command: string,
  settings: Settings,
  onResult: (result: Result) => void,
  signal = runController().signal,
): Promise<readonly Result[]> {
  const results = new Map<ClientCase, Result>();
  // Cases that wait for a client's timeout start first, so that the others run during the wait.
  const waiting = cases.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
  await inParallel(waiting, SIDE_BY_SIDE, signal, async (one) => {
    const result = await runInPlace(one, new Stage(settings, command), settings, signal);
    if (signal.aborted) return;
    results.set(one, result);
    onResult(result);
  });
  return cases.flatMap((one) => results.get(one) ?? []);
}

function isSlow(one: ClientCase): boolean {
  return one.requirementIds.some((id) =>
    /silence|absent|oversize|reconnect|restored|resubscribe|clear/.test(id),
  );
}
