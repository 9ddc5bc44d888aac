import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { systemCode } from '../../base/local-error.ts';
import { consentPolicies } from '../../daemon/config/keys.ts';
import type { Io } from '../../daemon/io.ts';
import { STOPPING, type StopRequest } from '../../daemon/signals.ts';
import { usage } from '../parse.ts';

/** Exit codes of a shell: 127 for a command that does not exist, 126 for a command that cannot be run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** Consent policy that the flag names, or `allow` without the flag. Throws the usage error of the command. */
export function readConsent(flag: string | undefined, name: string): 'ask' | 'allow' | 'deny' {
  const policy = consentPolicies.find((known) => known === (flag ?? 'allow'));
  if (policy !== undefined) return policy;
  const problem = `--consent: ${JSON.stringify(flag)} is not one of ${consentPolicies.join(', ')}.`;
  throw usage(problem, { name });
}

/**
 * Runs a command, forwards signals to it, and resolves with its exit code. Calls `started` once the command runs,
 * before any of its traffic is received.
 */
export function runChild(
  [name = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  signals: HeldSignals,
  io: Io,
  started: () => void = () => {},
): Promise<number> {
  return new Promise((resolveCode) => {
    // Loaded here, because a bridge without a command does not need the module.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const fail = (error: unknown): void => {
      const reason = systemErrorText(error as Error);
      io.err(`footbridge: the command ${JSON.stringify(name)} cannot be started: ${reason}.\n`);
      resolveCode(systemCode(error) === 'ENOENT' ? NOT_FOUND : NOT_RUNNABLE);
    };
    let child: ChildProcess;
    try {
      child = spawn(name, args, { stdio: 'inherit', env });
    } catch (error) {
      // Node throws some errors, such as E2BIG for too many arguments, and emits others.
      return fail(error);
    }
    signals.deliverTo((signal) => child.kill(signal));
    child.once('spawn', started);
    child.on('error', fail);
    child.on('exit', (code, signal) => resolveCode(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}

/** Ctrl+C and Ctrl+\\. */
const KEYBOARD: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** Signals that this process holds back for the command. */
export interface HeldSignals {
  /** First received signal, from the keyboard, too. */
  readonly first: Promise<StopRequest['signal']>;
  /** Delivers the held signals, and every later one immediately. */
  deliverTo(kill: (signal: NodeJS.Signals) => void): void;
}

/**
 * Holds signals back: this process stays to clean up, and only the command gets the signals. A terminal sends the
 * signals of its keyboard to both processes itself. `others` are delivered, too, and request no end.
 */
export function holdSignals(others: readonly NodeJS.Signals[] = []): HeldSignals {
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
  for (const signal of others) process.on(signal, () => deliver(signal));
  return {
    first,
    deliverTo(kill) {
      deliver = kill;
      for (const signal of held.splice(0)) kill(signal);
    },
  };
}
