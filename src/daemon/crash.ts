import { ExitCode } from './exit-codes.ts';

/**
 * Ends the process with exit code 70 on an internal defect, after `report` has written one line and released our
 * resources: the bridge must not serve from an unforeseen state.
 */
export function onCrash(
  report: (reason: string) => void,
  own: Pick<NodeJS.Process, 'on' | 'exit'> = process,
): void {
  let crashed = false;
  const crash = (error: unknown): void => {
    if (!crashed) {
      crashed = true;
      try {
        report(describeCrash(error));
      } catch {
        // The error of the report is dropped, because no output is left that could report it.
      }
    }
    own.exit(ExitCode.INTERNAL);
  };
  own.on('uncaughtException', crash);
  own.on('unhandledRejection', crash);
}

/** Error classes whose message comes from the engine and quotes no input. */
const PLAIN = new Set(['TypeError', 'RangeError', 'ReferenceError', 'AssertionError']);

/**
 * Describes an error in one line: its name, its message where the message cannot quote a peer's input, and the top
 * frame of the stack.
 */
export function describeCrash(error: unknown): string {
  if (!(error instanceof Error)) return `a ${typeof error} was thrown`;
  const location = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  const message = PLAIN.has(error.name) || 'syscall' in error ? `: ${error.message}` : '';
  return `${error.name}${message}${location === undefined ? '' : ` ${location.trim()}`}`.replace(/\s+/g, ' ');
}
