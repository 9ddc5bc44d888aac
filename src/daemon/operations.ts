import type { AdminDeclaration } from '../base/admin-operation.ts';
import { sessionOperations } from '../core/emulator/operations.ts';
import { operatorOperations } from '../emulator/compose/operator-operations.ts';
import { bridgeOperations } from './bridge-facts.ts';
import { consoleOperations } from './console.ts';
import { endpointOperations } from './endpoints/operations.ts';
import { faultOperations } from './faults.ts';
import { journalOperations } from './journal.ts';
import { originOperations } from './origins.ts';
import { pictureOperations } from './pictures.ts';
import { presenceOperations } from './presence/operations.ts';
import { recordingOperations } from './recording.ts';
import { resendOperations } from './resend/operations.ts';
import { voiceControlOperations } from './voice/operations.ts';
import { worldOperations } from './worlds/operations.ts';

/**
 * Every operation of a bridge whose client core is the emulator. Bridges with another core have only the bridge's own
 * operations.
 */
export const adminDeclarations: readonly AdminDeclaration<never>[] = [
  ...sessionOperations,
  ...operatorOperations,
  ...faultOperations,
  ...journalOperations,
  ...resendOperations,
  ...originOperations,
  ...endpointOperations,
  ...consoleOperations,
  ...bridgeOperations,
  ...pictureOperations,
  ...recordingOperations,
  ...presenceOperations,
  ...voiceControlOperations,
  ...worldOperations,
];
