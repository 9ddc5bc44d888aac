import type { CliCommand } from './command.ts';
import { askLink } from './commands/ask-link.ts';
import { call } from './commands/call.ts';
import { configShow } from './commands/config.ts';
import { approve, deny, grants, requests, revoke } from './commands/consent.ts';
import { emulate } from './commands/emulate.ts';
import {
  emulatorApply,
  emulatorGuildSet,
  emulatorReset,
  emulatorShow,
  emulatorVoiceSet,
} from './commands/emulator.ts';
import { run } from './commands/run.ts';
import { status } from './commands/status.ts';

/** Every command, in the order of the help. Parser, help and completions derive from it. */
export const commandTable: readonly CliCommand[] = [
  run,
  status,
  requests,
  approve,
  deny,
  grants,
  revoke,
  emulatorVoiceSet,
  emulatorGuildSet,
  emulatorShow,
  emulatorApply,
  emulatorReset,
  askLink,
  call,
  emulate,
  configShow,
];
