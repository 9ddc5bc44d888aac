import { systemErrorText } from '../../platform/system-error-text.ts';
import { isLocalError } from '../base/local-error.ts';
import { styleFor } from '../base/style.ts';
import { printable, printableLines } from '../base/text.ts';
import { withCallableCommands } from '../daemon/called-as.ts';
import { ExitCode, exitCodeOf } from '../daemon/exit-codes.ts';
import type { Io } from '../daemon/io.ts';
import { version } from '../daemon/version.ts';
import type { CliCommand } from './command.ts';
import { commandHelp, overview } from './help.ts';
import { parseCommandLine } from './parse.ts';
import { ioIn, takeWorld } from './world-option.ts';

/** Runs one command line, prints a failure on stderr in one line, and returns the exit code. */
export async function runProgram(
  argv: readonly string[],
  table: readonly CliCommand[],
  io: Io,
): Promise<number> {
  let command: CliCommand | undefined;
  try {
    const { argv: words, world } = takeWorld(argv);
    const request = parseCommandLine(words, table);
    switch (request.kind) {
      case 'version': {
        io.out(`footbridge ${version()}\n`);
        return ExitCode.OK;
      }
      case 'help': {
        const style = styleFor(io.colour.out);
        const { command, prefix } = request;
        const page =
          command === undefined ? overview(table, prefix, style) : commandHelp(command, style, table);
        io.out(withCallableCommands(page, io.env));
        return ExitCode.OK;
      }
      case 'run':
        command = request.command;
        return await request.command.run(request.invocation, ioIn(world, request.command, io), table);
    }
  } catch (error) {
    io.err(withCallableCommands(failureText(error, command, io), io.env));
    return isLocalError(error) || isSystemError(error) ? exitCodeOf(error) : ExitCode.INTERNAL;
  }
}

/** Describes an expected failure in one line; an error without one of our codes is a defect and gets a stack trace. */
function failureText(error: unknown, command: CliCommand | undefined, io: Io): string {
  const label = styleFor(io.colour.err).bad('footbridge:');
  if (isLocalError(error)) {
    // The bridge rejected an argument but does not know the help of the command line, so the hint is added here.
    const isOurs = command === undefined || error.code !== 'FOOTBRIDGE_ARGUMENTS';
    const hint = isOurs ? '' : `. Try: footbridge ${command.name} --help`;
    const message = isOurs || command === undefined ? error.message : optionNamed(error.message, command);
    return `${label} ${printableLines(message)}${hint}\n`;
  }
  if (isSystemError(error)) return `${label} ${printable(systemFailure(error))}\n`;
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${label} this is a defect of Footbridge, please report it.\n${printableLines(trace)}\n`;
}

/** Replaces the bridge's argument path, as in `fault.add: count: …`, by the option that the user typed. */
function optionNamed(message: string, command: CliCommand): string {
  const [, argument = '', reason = ''] = /^[\w.-]+: (\w+): (.*)$/s.exec(message) ?? [];
  return Object.hasOwn(command.options ?? {}, argument) ? `--${argument}: ${reason}` : message;
}

/** Fallback text for a system error: the failure, its path or address, and a pointer to the doctor. */
function systemFailure(error: Error): string {
  const { path, address, syscall } = error as { path?: unknown; address?: unknown; syscall?: unknown };
  const where = [path, address, syscall].find((one) => typeof one === 'string') as string;
  return `${where}: ${systemErrorText(error)}. footbridge doctor looks for the cause.`;
}

/** A failed system call. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'errno' in error;
}
