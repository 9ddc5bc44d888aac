import { constants } from 'node:os';
import type { Io } from '../../daemon/io.ts';
import { leave } from '../../daemon/signals.ts';
import { holdSignals, runChild } from '../emulate/child.ts';
import { runningVariables } from './variables.ts';

/** Signals that a program may use for its own purposes, and that end it otherwise. */
const PASSED_ON = ['SIGUSR1', 'SIGUSR2', 'SIGALRM'] as const;

/**
 * Runs a command with the variables of the running bridge, forwards signals to it, and returns its exit code. Throws as
 * {@link runningVariables} does.
 */
export async function runWithBridge(command: readonly string[], io: Io): Promise<number> {
  const signals = holdSignals(PASSED_ON);
  const variables = await Promise.race([runningVariables(io), signals.first]);
  if (typeof variables === 'string') {
    const code = 128 + constants.signals[variables];
    // The request to the bridge may still wait for its answer.
    await leave(code, variables);
    return code;
  }
  return runChild(command, { ...io.env, ...variables }, signals, io);
}
