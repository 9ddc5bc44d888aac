import { resolve } from 'node:path';
import { LocalError } from '../../base/local-error.ts';
import { bridgeVariables } from '../../control/bridge-variables.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { ignoreStraySignals } from '../../daemon/signals.ts';
import type { Violation } from '../../emulator/api/violations.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { entryLine } from '../../journal/format.ts';
import type { PrivateBridge } from '../../testing/private-bridge.ts';
import { botVariable, readyOf } from '../../testing/ready.ts';
import { violationsText } from '../../testing/violations.ts';
import { usage } from '../parse.ts';
import { TrafficFile } from '../traffic-file.ts';
import { type HeldSignals, holdSignals, readConsent, runChild } from './child.ts';
import { startCommandBridge } from './command-bridge.ts';
import { Transcript } from './transcript.ts';

/** Time limit for writing the remaining transcript (ms). */
const FLUSH_MS = 2000;
/** Options of `footbridge emulate`. */
export interface EmulateFlags {
  readonly fixture?: string | undefined;
  readonly consent?: string | undefined;
  readonly quiet?: true | undefined;
  readonly strict?: true | undefined;
  readonly ready?: true | undefined;
  readonly json: boolean;
  readonly transcript?: string | undefined;
}

/** Runs a command in the environment of a private bridge, or serves without one, and returns the exit code. */
export async function runAgainstEmulator(
  flags: EmulateFlags,
  command: readonly string[],
  io: Io,
): Promise<number> {
  if (command.length === 0 && flags.ready !== true) {
    throw usage('COMMAND is missing: the command and its arguments.', { name: 'emulate' });
  }
  // The signals are held before any resource exists that a signal could leave behind.
  const signals = holdSignals();
  ignoreStraySignals();
  const consent = readConsent(flags.consent, 'emulate');
  const file = flags.transcript === undefined ? undefined : openTranscript(resolve(flags.transcript));
  // At any exit of this process, the previous transcript stays unless the command has started.
  if (file !== undefined) process.once('exit', () => void file.abandon());
  const lineOf = linesBy(flags);
  const started = await startCommandBridge(flags.fixture, signals, io, {
    consent,
    strict: flags.strict,
  });
  if (typeof started === 'number') return started;
  const { bridge, err } = started;
  bridge.journal.follow((entry) => {
    file?.write(entry);
    const line = lineOf(entry);
    if (line !== undefined) err.write(line);
  });
  let code: number = ExitCode.FAILED;
  let failure: string | undefined;
  let violations: readonly Violation[] = [];
  try {
    if (flags.ready === true) io.out(`${JSON.stringify(await readyOf(bridge, io.env))}\n`);
    const env = { ...io.env, ...bridgeVariables(io.env, bridge), ...(await botVariable(bridge)) };
    code =
      command.length === 0
        ? await served(signals, () => file?.begin())
        : await runChild(command, env, signals, io, () => file?.begin());
  } finally {
    const missing = await missingOf(bridge);
    violations = await bridge.violations();
    // The bridge is closed first, so that the connections that end with it are recorded like any other.
    await bridge.close();
    for (const one of missing) bridge.journal.add({ kind: 'missing', ...one });
    failure = file?.abandon() === true ? undefined : file?.end();
    if (failure !== undefined) io.err(`footbridge: the transcript is not whole: ${failure}\n`);
    await err.flush(FLUSH_MS);
  }
  if (violations.length > 0) io.err(violationsText(violations));
  return (failure !== undefined || violations.length > 0) && code === ExitCode.OK ? ExitCode.FAILED : code;
}

/** Waits for the signal that ends a bridge without a command. */
async function served({ first }: HeldSignals, started: () => void): Promise<number> {
  started();
  await first;
  return ExitCode.OK;
}

function openTranscript(path: string): TrafficFile {
  return new TrafficFile(
    path,
    'emulator',
    (reason, cause) =>
      new LocalError(
        'FOOTBRIDGE_CONFIG',
        `--transcript: ${path} cannot be written: ${reason}. Give a file in a folder of yours.`,
        { cause },
      ),
  );
}

/** Returns a function that formats an entry for stderr: a readable line with names only, or JSON. */
function linesBy({ quiet, json }: EmulateFlags): (entry: JournalEntry) => string | undefined {
  const transcript = new Transcript();
  const lineOf = (entry: JournalEntry): string | undefined =>
    json ? entryLine(entry) : transcript.line(entry);
  if (quiet !== true) return lineOf;
  // A missing operation is printed even with `--quiet`, because it may be the reason for the command's failure.
  return (entry) => (entry.kind === 'missing' ? lineOf(entry) : undefined);
}

/** Requested HTTP operation that the emulator does not offer. */
interface Missing {
  readonly what: string;
  readonly times: number;
}

async function missingOf(bridge: PrivateBridge): Promise<readonly Missing[]> {
  return (await bridge.call('emulator.missing', {})) as readonly Missing[];
}
