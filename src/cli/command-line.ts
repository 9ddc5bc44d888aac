import { processIo } from '../daemon/io.ts';
import { allBridgeCommands, bridgeCommands } from './bridge-table.ts';
import type { CliCommand } from './command.ts';
import { LOOK_INSIDE } from './doctor/look-inside.ts';
import { parseCommandLine } from './parse.ts';
import { runProgram } from './program.ts';
import { takeWorld } from './world-option.ts';

/** Arguments that stand alone and name no command of the emulator. */
const ALONE = ['--help', '-h', 'help'];
const VERSION = ['--version', '-V'];

/**
 * Table for a command line: the commands that begin with its first word. All others are loaded only for a list, or for
 * the suggestion that an error names; those of the emulator only if no other command begins with that word.
 */
async function commandsFor(argv: readonly string[]): Promise<readonly CliCommand[]> {
  const [first = '--help'] = argv;
  if (VERSION.includes(first)) return [];
  if (argv.length <= 1 && ALONE.includes(first)) return allBridgeCommands();
  // `completion` and `help` need the complete table.
  if (Object.hasOwn(bridgeCommands, first) && first !== 'completion' && first !== 'help') {
    const own = (await bridgeCommands[first]?.()) ?? [];
    return canParse(argv, own) ? own : allBridgeCommands();
  }
  const { emulatorCommands } = await import('./emulator-table.ts');
  return [...(await allBridgeCommands()), ...emulatorCommands];
}

function canParse(argv: readonly string[], table: readonly CliCommand[]): boolean {
  try {
    parseCommandLine(argv, table);
    return true;
  } catch {
    return false;
  }
}

/** The command line by which commands are found; one with a wrong `--world` is refused later. */
function withoutWorld(argv: readonly string[]): readonly string[] {
  try {
    return takeWorld(argv).argv;
  } catch {
    return argv;
  }
}

/**
 * Runs one command line, without `node` and the program's name, on the streams and environment of this process. The
 * caller sets `process.exitCode` and lets the process end by itself.
 */
export async function runMain(argv: readonly string[]): Promise<number> {
  const [first, pid] = argv;
  if (first === LOOK_INSIDE) {
    const { printInside } = await import('./doctor/inside.ts');
    await printInside(Number(pid), (text) => process.stdout.write(text));
    return 0;
  }
  return runProgram(argv, await commandsFor(withoutWorld(argv)), processIo());
}
