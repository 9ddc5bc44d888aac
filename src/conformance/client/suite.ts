import { platform } from 'node:os';
import { Failure } from '../failure.ts';
import type { Options } from '../options.ts';
import { levelOf } from '../requirements.ts';
import type { Suite } from '../run.ts';
import type { Settings } from '../settings.ts';
import { type Result, verdictOf } from '../verdict.ts';
import { answerCases } from './answers.ts';
import type { ClientCase } from './case.ts';
import { framingCases } from './framing.ts';
import { handshakeCases } from './handshake.ts';
import { recoveryCases } from './recovery.ts';
import { searchCases } from './search.ts';
import { Stage } from './stage.ts';
import { trafficCases } from './traffic.ts';

/** Every case of the client suite. */
export const clientCases: readonly ClientCase[] = [
  ...searchCases,
  ...handshakeCases,
  ...framingCases,
  ...trafficCases,
  ...answerCases,
  ...recoveryCases,
];

/** Clients at a time: each is a process, but most of them wait. */
const SIDE_BY_SIDE = 12;

/** The client suite for the command that the options name. */
export function clientSuite(options: Options): Suite {
  return {
    target: options.command ?? '',
    all: clientCases,
    omitted: clientCases
      .filter((one) => one.unixOnly && platform() === 'win32')
      .map((one) => ({ case: one, reason: 'it is about folders, which pipes have not' })),
    run: (cases, onResult) => {
      const chosen = new Set(cases);
      const own = clientCases.filter((one) => chosen.has(one));
      return runClientCases(own, options.command ?? '', options.settings, onResult);
    },
  };
}

/** Runs the cases side by side, each with a client of its own; the results come in the order of `cases`. */
export async function runClientCases(
  cases: readonly ClientCase[],
  command: string,
  settings: Settings,
  onResult: (result: Result) => void,
): Promise<readonly Result[]> {
  const results = new Map<ClientCase, Result>();
  // Those that wait for a client to give up come first, so that the others run meanwhile.
  const waiting = [...cases].sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const result = await runCase(one, command, settings);
      results.set(one, result);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return cases.flatMap((one) => results.get(one) ?? []);
}

function isSlow(one: ClientCase): boolean {
  return one.judges.some((id) => /silence|absent|oversize|reconnect|restored|resubscribe|clear/.test(id));
}

async function runCase(one: ClientCase, command: string, settings: Settings): Promise<Result> {
  const started = Date.now();
  const level = levelOf(one.judges);
  const stage = new Stage(settings, command);
  let verdict: Result['verdict'] = { kind: 'passed' };
  let timer: NodeJS.Timeout | undefined;
  const { caseMs, startMs } = settings.patience;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Failure('the case to end', `still busy after ${caseMs + startMs} ms`, 'silent')),
      caseMs + startMs,
    );
  });
  const work = one.run(stage);
  try {
    await Promise.race([work, late]);
  } catch (error) {
    verdict = verdictOf(error, level);
  }
  clearTimeout(timer);
  work.catch(() => undefined);
  await stage.close();
  return { case: one, level, verdict, ms: Date.now() - started };
}
