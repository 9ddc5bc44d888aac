import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { systemCode } from '../../../platform/local-error.ts';
import { consentPolicies } from '../config/keys.ts';
import type { Io } from '../io.ts';
import { LogDestination } from '../log/destination.ts';
import { humanLogger } from '../log/logger.ts';
import { openSink } from '../log/sink.ts';
import { usage } from '../parse.ts';
import { bridgeVariables, startPrivateBridge } from './private-bridge.ts';
import { transcribe } from './transcript.ts';

/** A transcript is worth waiting for, but not for ever (ms). */
const FLUSH_MS = 2000;

/** What a shell returns for a command that is not there, or cannot be run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** Options of `footbridge emulate`. */
export interface EmulateFlags {
  readonly fixture?: string | undefined;
  readonly consent?: string | undefined;
  readonly quiet?: true | undefined;
}

/** Runs the command in the environment of a private bridge and returns its exit code. */
export async function runAgainstEmulator(
  flags: EmulateFlags,
  command: readonly string[],
  io: Io,
): Promise<number> {
  // Before anything exists that a signal could leave behind.
  const signals = holdSignals();
  const err = new LogDestination(openSink(2, () => process.stderr));
  const bridge = await startPrivateBridge({
    fixture: flags.fixture === undefined ? null : resolve(flags.fixture),
    consent: readConsent(flags.consent),
    logger: humanLogger('warn', err, io.colour.err),
    ...(flags.quiet === true
      ? {}
      : { observe: (transport) => transcribe(transport, (line) => err.write(line)) }),
  });
  try {
    return await runChild(command, { ...io.env, ...bridgeVariables(io.env, bridge) }, signals, io);
  } finally {
    await bridge.close();
    await err.flush(FLUSH_MS);
  }
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
    const child = spawn(name, args, { stdio: 'inherit', env });
    signals.deliverTo((signal) => child.kill(signal));
    child.on('error', (error) => {
      const reason = systemCode(error) ?? error.message;
      io.err(`footbridge: the command ${JSON.stringify(name)} cannot be started: ${reason}\n`);
      resolveCode(reason === 'ENOENT' ? NOT_FOUND : NOT_RUNNABLE);
    });
    child.on('exit', (code, signal) => resolveCode(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}

interface HeldSignals {
  /** Hands over those that have come, and from now on each as it comes. */
  deliverTo(kill: (signal: NodeJS.Signals) => void): void;
}

/** We stay to clean up; the command gets the signals. A terminal sends its Ctrl-C to both of us by itself. */
function holdSignals(): HeldSignals {
  const held: NodeJS.Signals[] = [];
  let deliver = (signal: NodeJS.Signals): void => {
    held.push(signal);
  };
  const fromTerminal = isatty(0);
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !fromTerminal) deliver(signal);
    });
  }
  return {
    deliverTo(kill) {
      deliver = kill;
      for (const signal of held.splice(0)) kill(signal);
    },
  };
}
