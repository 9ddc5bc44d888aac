#!/usr/bin/env node
// Entry of the suite as the separate package @footbridge/conformance.
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { runConformance } from './run.ts';
import { describeSystemError } from './system-error.ts';

const { env } = process;
// A reader that closes the pipe (`… | head`) is no failure; a full disk is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.once('exit', () => {
    process.exitCode ||= 1;
    process.stderr.write(`conformance: the output could not be written: ${describeSystemError(error)}\n`);
  });
});
process.stderr.on('error', () => {});
// The first signal ends the suite's processes; a second one ends the suite at once.
const interrupt = new AbortController();
let interruptedWith: number | undefined;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => {
    interruptedWith ??= 128 + constants.signals[name];
    interrupt.abort();
  });
}
const code = await runConformance(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: isatty(2),
  color: isatty(1) && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  env,
  signal: interrupt.signal,
});
process.exitCode = interruptedWith ?? code;
