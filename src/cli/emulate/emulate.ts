import { constants } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { systemCode } from '../../../platform/local-error.ts';
import { inSystemWords } from '../../../platform/system-words.ts';
import { printable } from '../../../platform/text.ts';
import { consentPolicies } from '../../daemon/config/keys.ts';
import type { Io } from '../../daemon/io.ts';
import { LogDestination } from '../../daemon/log/destination.ts';
import { humanLogger } from '../../daemon/log/logger.ts';
import { openSink } from '../../daemon/log/sink.ts';
import { ignoreStraySignals, leave, STOPPING, type StopRequest } from '../../daemon/signals.ts';
import { bridgeVariables, type PrivateBridge, startPrivateBridge } from '../../testing/private-bridge.ts';
import { usage } from '../parse.ts';
import { type Missing, type Recorder, recorder } from './records.ts';
import { transcribe } from './transcript.ts';
import { openTranscriptFile } from './transcript-file.ts';

/** A transcript is worth waiting for, but not for ever (ms). */
const FLUSH_MS = 2000;
/** What a start that is under way may still take once it is to stop (ms). */
const START_MS = 200;

/** What a shell returns for a command that is not there, or cannot be run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

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
  const consent = readConsent(flags.consent);
  if (flags.transcript === '') throw usage('--transcript: must not be empty.', { name: 'emulate' });
  const file = flags.transcript === undefined ? undefined : openTranscriptFile(resolve(flags.transcript));
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
  try {
    return await runChild(command, { ...io.env, ...bridgeVariables(io.env, bridge) }, signals, io);
  } finally {
    const missing = await missingOf(bridge);
    for (const one of missing) for (const record of recorders) record.missing(one);
    await bridge.close();
    const failure = file?.close();
    if (failure !== undefined) io.err(`footbridge: the transcript is not whole: ${failure}\n`);
    await err.flush(FLUSH_MS);
  }
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

/**
 * The bridge; or, where a signal comes before it is there, the exit code for that. A file that never ends, such as a FIFO
 * for a fixture, must not keep the process from ending.
 */
async function untilStarted(
  starting: Promise<PrivateBridge>,
  stopped: Promise<StopRequest['signal']>,
  abandoned: AbortController,
): Promise<PrivateBridge | number> {
  const first = await Promise.race([starting, stopped]);
  if (typeof first !== 'string') return first;
  const code = 128 + constants.signals[first];
  const settled = starting.catch(() => undefined);
  const bridge = await Promise.race([settled, delay(START_MS, 'late' as const)]);
  if (bridge === 'late') {
    abandoned.abort();
    leave(code, first);
  } else await bridge?.close();
  return code;
}

function readConsent(given: string | undefined): 'ask' | 'allow' | 'deny' {
  const policy = consentPolicies.find((known) => known === (given ?? 'allow'));
  if (policy !== undefined) return policy;
  const problem = `--consent: ${JSON.stringify(given)} is not one of ${consentPolicies.join(', ')}.`;
  throw usage(problem, { name: 'emulate' });
}

function runChild(
  [name = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  signals: HeldSignals,
  io: Io,
): Promise<number> {
  return new Promise((resolveCode) => {
    // Here, because a bridge of its own needs none of it.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const child = spawn(name, args, { stdio: 'inherit', env });
    signals.deliverTo((signal) => child.kill(signal));
    child.on('error', (error) => {
      const words = inSystemWords(error);
      io.err(`footbridge: the command ${JSON.stringify(name)} cannot be started: ${words}.\n`);
      resolveCode(systemCode(error) === 'ENOENT' ? NOT_FOUND : NOT_RUNNABLE);
    });
    child.on('exit', (code, signal) => resolveCode(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}

/** Ctrl+C and Ctrl+\\. */
const KEYBOARD: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

interface HeldSignals {
  /** The first that comes, from the keyboard too. */
  readonly first: Promise<StopRequest['signal']>;
  /** Hands over those that have come, and from now on each as it comes. */
  deliverTo(kill: (signal: NodeJS.Signals) => void): void;
}

/** We stay to clean up; the command gets the signals. A terminal sends those of its keyboard to both of us by itself. */
function holdSignals(): HeldSignals {
  const held: NodeJS.Signals[] = [];
  let deliver = (signal: NodeJS.Signals): void => {
    held.push(signal);
  };
  const fromTerminal = isatty(0);
  let came = (_signal: StopRequest['signal']): void => {};
  const first = new Promise<StopRequest['signal']>((resolveSignal) => {
    came = resolveSignal;
  });
  for (const signal of STOPPING) {
    process.on(signal, () => {
      came(signal);
      if (!fromTerminal || !KEYBOARD.has(signal)) deliver(signal);
    });
  }
  return {
    first,
    deliverTo(kill) {
      deliver = kill;
      for (const signal of held.splice(0)) kill(signal);
    },
  };
}
