import { dirname, resolve } from 'node:path';
import { readArgument } from '../../../platform/files/read-bounded.ts';
import { isLocalError, LocalError, systemCode } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { styleFor } from '../../base/style.ts';
import { bridgeVariables } from '../../control/bridge-variables.ts';
import type { FixtureSource } from '../../daemon/core-options.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { ignoreStraySignals } from '../../daemon/signals.ts';
import { parseDuration } from '../../emulator/kernel/time-text.ts';
import { type FileResult, jsonOf, junitText, tapText } from '../../scenario/formats.ts';
import { hasPassed, notBegun, playScenario, type ScenarioResult } from '../../scenario/play.ts';
import { type PlacedScenario, readScenarios, type ScenarioFile } from '../../scenario/read.ts';
import { failureText, problemText, scenarioLine, summaryText } from '../../scenario/report.ts';
import type { Stage } from '../../scenario/stage.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { type HeldSignals, holdSignals } from '../emulate/child.ts';
import { quote, usage } from '../parse.ts';
import { writableTarget, writeTarget } from '../private-target.ts';
import { type Bot, startBot, whenGone, whenReady } from './bot.ts';

/** Maximum size of a file of scenarios (bytes). */
const MAX_FILE_BYTES = 1024 * 1024;
const WAIT = '15s';

/** Options of `footbridge emulator play`. */
export interface PlayFlags {
  readonly only?: string | undefined;
  readonly fixture?: string | undefined;
  readonly wait?: string | undefined;
  readonly junit?: string | undefined;
  readonly tap?: true | undefined;
  readonly full?: true | undefined;
  readonly strict?: true | undefined;
  readonly json: boolean;
}

/** Plays the scenarios of files, prints the reports and returns the exit code. */
export async function playFiles(
  flags: PlayFlags,
  paths: readonly string[],
  command: readonly string[],
  io: Io,
): Promise<number> {
  if (flags.tap === true && flags.json)
    throw usage('--tap and --json exclude each other.', { name: 'emulator play' });
  const begun = performance.now();
  const isPrinted = flags.junit === '-';
  if (isPrinted && (flags.tap === true || flags.json))
    throw usage(`--junit - and --${flags.json ? 'json' : 'tap'} both print a report. Give --junit a file.`, {
      name: 'emulator play',
    });
  const junit = flags.junit === undefined || isPrinted ? undefined : writableTarget(flags.junit);
  const waitMs = waitOf(flags.wait ?? WAIT);
  const files = await readFiles(paths, io);
  if (files === undefined) return ExitCode.CONFIGURATION;
  const chosen = files.map((file) => ({ file, scenarios: chosenOf(file, flags.only) }));
  if (flags.only !== undefined && chosen.every(({ scenarios }) => scenarios.length === 0)) {
    const names = files.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
    throw usage(`--only: there is no scenario ${quote(flags.only)}.${didYouMean(flags.only, names)}`, {
      name: 'emulator play',
    });
  }
  // Where the report itself goes to stdout, a person follows on stderr.
  const isForPerson = flags.tap !== true && !flags.json && !isPrinted;
  const print = (text: string): void => (isForPerson ? io.out(text) : io.err(text));
  const style = styleFor(isForPerson ? io.colour.out : io.colour.err);
  const played: FileResult[] = [];
  const onStage = stageOf({ ...flags, waitMs }, command, io);
  for (const group of sharing(chosen.filter(({ scenarios }) => scenarios.length > 0))) {
    await onStage(group[0].file, async (stage, reset) => {
      for (const { file, scenarios } of group) {
        const results: ScenarioResult[] = [];
        for (const scenario of scenarios) {
          const result = await reset(scenario).then(
            () => playScenario(stage, scenario, { quiet: file.quiet, full: flags.full === true }),
            (error: unknown) => {
              if (systemCode(error) !== 'FOOTBRIDGE_BOT') throw error;
              return notBegun(scenario, error);
            },
          );
          results.push(result);
          print(scenarioLine(result, style));
          if (!hasPassed(result)) print(failureText(result, style));
        }
        played.push({ file: file.file, results });
      }
    });
  }
  const all = played.flatMap(({ results }) => results);
  print(summaryText(all, performance.now() - begun));
  if (flags.json) printJson(io, jsonOf(played));
  if (flags.tap === true) io.out(tapText(played));
  if (isPrinted) io.out(junitText(played));
  if (junit !== undefined) await writeTarget(junit, flags.junit ?? '', junitText(played));
  return all.every(hasPassed) ? ExitCode.OK : ExitCode.FINDINGS;
}

function waitOf(duration: string): number {
  try {
    return parseDuration(duration);
  } catch {
    throw usage(`--wait: ${quote(duration)} is no duration. Give one such as 15s or 2m.`, {
      name: 'emulator play',
    });
  }
}

/** The files; undefined where one cannot be played, after its problems were printed. */
async function readFiles(paths: readonly string[], io: Io): Promise<readonly ScenarioFile[] | undefined> {
  const files: ScenarioFile[] = [];
  let isWrong = false;
  for (const path of paths) {
    const read = readScenarios(await readArgument(path, MAX_FILE_BYTES), path);
    if ('scenarios' in read) files.push(read);
    else {
      isWrong = true;
      for (const problem of read) io.err(problemText(problem, styleFor(io.colour.err)));
    }
  }
  return isWrong ? undefined : files;
}

interface Chosen {
  readonly file: ScenarioFile;
  readonly scenarios: readonly PlacedScenario[];
}

/** Files in a row that begin with the same state share the bridge and the bot: each scenario is reset to that state. */
function sharing(chosen: readonly Chosen[]): readonly (readonly [Chosen, ...Chosen[]])[] {
  const keyOf = ({ file }: Chosen): string => JSON.stringify([fixtureOf(file), file.strict, file.fresh]);
  const groups: [Chosen, ...Chosen[]][] = [];
  for (const one of chosen) {
    const last = groups.at(-1);
    if (last !== undefined && keyOf(last[0]) === keyOf(one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function chosenOf({ scenarios }: ScenarioFile, only: string | undefined): readonly PlacedScenario[] {
  return only === undefined ? scenarios : scenarios.filter(({ name }) => name === only);
}

/** `reset` brings the world and the bot into the state in which a scenario begins. */
type Playing = (stage: Stage, reset: (scenario: PlacedScenario) => Promise<void>) => Promise<void>;

type StageFlags = PlayFlags & { readonly waitMs: number };

/** Signals that end the scenarios. */
interface Stopping {
  readonly signals: HeldSignals;
  /** Rejects at the first signal. */
  readonly stopped: Promise<never>;
}

/** Returns a function that makes the bridge on which a file is played, and the bot, and ends both. */
function stageOf(
  flags: StageFlags,
  command: readonly string[],
  io: Io,
): (file: ScenarioFile, play: Playing) => Promise<void> {
  let stopping: Stopping | undefined;
  return async (file, play) => {
    const fixture = flags.fixture === undefined ? fixtureOf(file) : resolve(flags.fixture);
    // A named bridge is meant, even where the file has a fixture for a private one.
    const isMeant = flags.fixture === undefined && io.env['FOOTBRIDGE_CONTROL'] !== undefined;
    if (command.length === 0 && (fixture === null || isMeant) && (await playOnRunning(io, play))) return;
    // One hold for all files: a signal also counts between two of them.
    stopping ??= untilStopped();
    const strict = flags.strict === true || file.strict;
    await playOnPrivate(
      { fixture, strict, fresh: file.fresh, waitMs: flags.waitMs, command, env: io.env },
      stopping,
      play,
    );
  };
}

/** Holds the signals, which must happen before any resource exists that a signal could leave behind. */
function untilStopped(): Stopping {
  const signals = holdSignals();
  ignoreStraySignals();
  const stopped = signals.first.then((signal) => {
    throw new LocalError('FOOTBRIDGE_STOPPED', `${signal} has ended the scenarios.`);
  });
  // A signal may come while nothing waits for it.
  stopped.catch(() => {});
  return { signals, stopped };
}

/** Plays on a private bridge, with a bot where there is a command. */
async function playOnPrivate(
  {
    fixture,
    strict,
    fresh,
    waitMs,
    command,
    env,
  }: {
    readonly fixture: FixtureSource;
    readonly strict: boolean;
    readonly fresh: boolean;
    readonly waitMs: number;
    readonly command: readonly string[];
    readonly env: NodeJS.ProcessEnv;
  },
  { signals, stopped }: Stopping,
  play: Playing,
): Promise<void> {
  const [{ startUnlessStopped }, { silentLogger }, { botVariable }] = await Promise.all([
    import('../emulate/command-bridge.ts'),
    import('../../server/options.ts'),
    import('../../testing/ready.ts'),
  ]);
  const bridge = await startUnlessStopped(signals, {
    fixture,
    consent: 'allow',
    strict,
    logger: silentLogger,
    loadApi: 'request',
  });
  if (typeof bridge === 'number') return stopped;
  // A promise, so that a bot that is being started is stopped as well.
  let bot = undefined as Promise<Bot> | undefined;
  const stage: Stage = {
    call: (name, args) => bridge.call(name, args),
    get ended() {
      return bot?.then(({ ended }) => ended);
    },
  };
  const ready = async (): Promise<void> => {
    if (command.length > 0) {
      bot = startBot(command, { ...env, ...bridgeVariables(env, bridge), ...(await botVariable(bridge)) });
      await bot;
      await whenReady(stage, waitMs);
    }
    await stage.call('emulator.seed', {});
  };
  let isFirst = true;
  // Each scenario begins as the bot became ready. With events, what the bot has cached of the state follows; what it does at
  // them is undone without.
  const reset = async ({ skip }: PlacedScenario): Promise<void> => {
    if (skip !== undefined) return;
    if (!isFirst) {
      const one = await bot;
      const isOver = one !== undefined && (fresh || !one.isRunning());
      // Also one that has ended by itself may have left a program behind.
      if (isOver) {
        await one.stop();
        await whenGone(stage);
      }
      await stage.call('emulator.reset', { whole: true });
      await stage.call('emulator.settle', { quiet: '0ms', within: '1s' });
      await stage.call('emulator.reset', { quiet: true, whole: true });
      if (isOver) await ready();
    }
    isFirst = false;
    await stage.call('emulator.settle', { quiet: '0ms' });
  };
  try {
    await Promise.race([ready().then(() => play(stage, reset)), stopped]);
  } finally {
    await bot?.then((one) => one.stop()).catch(() => undefined);
    await bridge.close();
  }
}

/** Plays on the bridge that runs, as it is; false where none runs. */
async function playOnRunning(io: Io, play: Playing): Promise<boolean> {
  const client = daemonClient(io);
  try {
    await client.status();
  } catch (error) {
    if (isLocalError(error) && systemCode(error) === 'FOOTBRIDGE_NO_DAEMON') return false;
    throw error;
  }
  await play({ call: (name, args) => client.call(name, args) }, async () => {});
  return true;
}

function fixtureOf({ file, fixture }: ScenarioFile): FixtureSource {
  if (fixture === undefined) return null;
  return typeof fixture === 'string' ? resolve(dirname(file), fixture) : { inline: fixture };
}
