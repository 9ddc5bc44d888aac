import { ExitCode } from './exit-codes.ts';

/**
 * A defect of ours ends the process with exit code 70, after `report` has written one line and given up what we own.
 * A state that nobody foresaw is not worth serving on from.
 */
export function onCrash(report: (reason: string) => void): void {
  let crashed = false;
  const crash = (error: unknown): void => {
    if (!crashed) {
      crashed = true;
      try {
        report(describeCrash(error));
      } catch {
        // Nothing is left to tell it to.
      }
    }
    process.exit(ExitCode.INTERNAL);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}

/** Errors whose message is the engine's own and quotes no input. */
const PLAIN = new Set(['TypeError', 'RangeError', 'ReferenceError', 'AssertionError']);

/** Name, message where it cannot quote what a peer sent, and the first place in the stack. One line. */
export function describeCrash(error: unknown): string {
  if (!(error instanceof Error)) return `a ${typeof error} was thrown`;
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  const message = PLAIN.has(error.name) || 'syscall' in error ? `: ${error.message}` : '';
  return `${error.name}${message}${place === undefined ? '' : ` ${place.trim()}`}`.replace(/\s+/g, ' ');
}
