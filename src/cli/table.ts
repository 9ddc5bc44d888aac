import { allBridgeCommands } from './bridge-table.ts';
import type { CliCommand } from './command.ts';
import { emulatorCommands } from './emulator-table.ts';

/** Every command, in the order of the help. Parser, help and completions derive from it. */
export const commandTable: readonly CliCommand[] = [...(await allBridgeCommands()), ...emulatorCommands];
