import { processIo } from '../daemon/io.ts';
import { bridgeCommands } from './bridge-table.ts';
import type { CliCommand } from './command.ts';
import { LOOK_INSIDE, printInside } from './doctor/inside.ts';
import { runProgram } from './program.ts';

/** Arguments that stand alone and name no command of the emulator. */
const ALONE = ['--help', '-h', 'help', '--version', '-V'];

/**
 * Table for a command line: commands of the emulator are loaded only if no other command begins with the first
 * argument.
 */
async function commandsFor(argv: readonly string[]): Promise<readonly CliCommand[]> {
  const [first] = argv;
  if (first === undefined || (argv.length === 1 && ALONE.includes(first))) return bridgeCommands;
  const isOurs = bridgeCommands.some(({ name }) => name.split(' ')[0] === first);
  // `completion` and `help` need the complete table.
  if (isOurs && first !== 'completion' && first !== 'help') return bridgeCommands;
  const { emulatorTable } = await import('./bridge-parts.ts');
  return [...bridgeCommands, ...(await emulatorTable()).emulatorCommands];
}

/**
 * Runs one command line, without `node` and the program's name, on the streams and environment of this process. The
 * caller sets `process.exitCode` and lets the process end by itself.
 */
export async function runMain(argv: readonly string[]): Promise<number> {
  const [first, pid] = argv;
  if (first === LOOK_INSIDE) {
    await printInside(Number(pid), (text) => process.stdout.write(text));
    return 0;
  }
  return runProgram(argv, await commandsFor(argv), processIo());
}
