import { adminDeclarations } from '../daemon/operations.ts';
import type { CliCommand } from './command.ts';
import { emulatorApply, emulatorShow } from './commands/emulator.ts';
import { emulatorFaultList, emulatorFaultRemove } from './commands/emulator-fault.ts';
import {
  emulatorChoose,
  emulatorClick,
  emulatorInteractions,
  emulatorSubmit,
  emulatorUse,
} from './commands/emulator-interact.ts';
import { emulatorInviteJob } from './commands/emulator-invite.ts';
import { emulatorPicture } from './commands/emulator-picture.ts';
import { emulatorPlay } from './commands/emulator-play.ts';
import { emulatorRead } from './commands/emulator-read.ts';
import { emulatorRecord } from './commands/emulator-record.ts';
import { emulatorExport, emulatorImport } from './commands/emulator-state.ts';
import { emulatorWebhooks } from './commands/emulator-webhook.ts';
import { emulatorWorldAdd, emulatorWorldList } from './commands/emulator-world.ts';
import { operatorCommands } from './operator-command.ts';

/**
 * Commands `footbridge emulator …`: those that operations declare, and those that read files, follow a change, or call
 * several operations. The order is that of the help.
 */
export const emulatorCommands: readonly CliCommand[] = [
  emulatorUse,
  emulatorClick,
  emulatorChoose,
  emulatorSubmit,
  emulatorInteractions,
  emulatorRead,
  emulatorPicture,
  emulatorPlay,
  emulatorRecord,
  ...operatorCommands(adminDeclarations),
  emulatorInviteJob,
  emulatorWebhooks,
  emulatorFaultList,
  emulatorFaultRemove,
  emulatorShow,
  emulatorApply,
  emulatorExport,
  emulatorImport,
  emulatorWorldAdd,
  emulatorWorldList,
];
