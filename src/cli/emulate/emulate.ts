import { resolve } from 'node:path';
import { printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { LogDestination } from '../../daemon/log/destination.ts';
import { humanLogger } from '../../daemon/log/logger.ts';
import { openSink } from '../../daemon/log/sink.ts';
import { ignoreStraySignals } from '../../daemon/signals.ts';
import { bridgeVariables, type PrivateBridge, startPrivateBridge } from '../../testing/private-bridge.ts';
import { usage } from '../parse.ts';
import { holdSignals, readConsent, runChild, untilStarted } from './child.ts';
import { type Missing, type Recorder, recorder } from './records.ts';
import { transcribe } from './transcript.ts';
import { openTranscriptFile } from './transcript-file.ts';

/** A transcript is worth waiting for, but not for ever (ms). */
const FLUSH_MS = 2000;
/** Options of `footbridge emulate`. */
export interface EmulateFlags {
  readonly fixture?: string | undefined;
  readonly consent?: string | undefined;
  readonly quiet?: true | undefined;
  readonly json: boolean;
  readonly transcript?: string | undefined;
}

/** Runs the command in the environment of a private bridge and returns its exit code. */
export async function runAgainstEmulator(
  flags: EmulateFlags,
  command: readonly string[],
  io: Io,
): Promise<number> {
  // Before anything exists that a signal could leave behind.
  const signals = holdSignals();
  ignoreStraySignals();
  const err = new LogDestination(openSink(2, () => process.stderr));
  const consent = readConsent(flags.consent, 'emulate');
  if (flags.transcript === '') throw usage('--transcript: must not be empty.', { name: 'emulate' });
  const file = flags.transcript === undefined ? undefined : openTranscriptFile(resolve(flags.transcript));
  // However it ends: what was there before stays unless the command has started.
  if (file !== undefined) process.once('exit', () => void file.abandon());
  const printed = printedBy(flags, (line) => err.write(line));
  const recorders: readonly Recorder[] = file === undefined ? [printed] : [file, printed];
  const abandoned = new AbortController();
  const starting = startPrivateBridge({
    signal: abandoned.signal,
    fixture: flags.fixture === undefined ? null : resolve(flags.fixture),
    consent,
    logger: humanLogger('warn', err, io.colour.err),
    observe: (transport) => recorders.reduce((watched, one) => one.watch(watched), transport),
    observeHttp: (server) => {
      for (const one of recorders) one.watchHttp(server);
    },
    onDoubt: (doubt) => {
      for (const one of recorders) one.doubt(doubt);
    },
  });
  const bridge = await untilStarted(starting, signals.first, abandoned);
  if (typeof bridge === 'number') return bridge;
  let code: number = ExitCode.FAILED;
  let failure: string | undefined;
  try {
    const env = { ...io.env, ...bridgeVariables(io.env, bridge) };
    code = await runChild(command, env, signals, io, () => file?.begin());
  } finally {
    const missing = await missingOf(bridge);
    for (const one of missing) for (const record of recorders) record.missing(one);
    await bridge.close();
    failure = file?.abandon() === true ? undefined : file?.close();
    if (failure !== undefined) io.err(`footbridge: the transcript is not whole: ${failure}\n`);
    await err.flush(FLUSH_MS);
  }
  return failure !== undefined && code === ExitCode.OK ? ExitCode.FAILED : code;
}

/** What goes to stderr while the command runs: names in words, or everything as JSON lines. */
function printedBy({ quiet, json }: EmulateFlags, write: (line: string) => void): Recorder {
  const records = recorder((record) => write(`${JSON.stringify(record)}\n`));
  const words: Recorder = {
    watch: (transport) => transcribe(transport, write),
    watchHttp() {},
    doubt() {},
    missing: ({ what, times }) =>
      write(`not offered, answered 501: ${printable(what)}${times === 1 ? '' : ` (${times} times)`}\n`),
  };
  const chosen = json ? records : words;
  if (quiet !== true) return chosen;
  // What was not offered may be why the command failed.
  return {
    watch: (transport) => transport,
    watchHttp() {},
    doubt() {},
    missing: (one) => chosen.missing(one),
  };
}

async function missingOf(bridge: PrivateBridge): Promise<readonly Missing[]> {
  return (await bridge.call('emulator.missing', {})) as readonly Missing[];
}
