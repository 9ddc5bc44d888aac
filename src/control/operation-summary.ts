import type { CommandForm } from '../base/operator-command.ts';

/** One entry of `GET /v1/operations`. */
export interface OperationSummary {
  readonly name: string;
  readonly summary: string;
  /** Names of the arguments. */
  readonly args: readonly string[];
  /** Words of its command behind `footbridge emulator`; null for an operation without one. */
  readonly command: string | null;
}

/** Answer of `GET /v1/operations/NAME`. */
export interface OperationDetails extends Omit<OperationSummary, 'command'> {
  /** How its command is written. */
  readonly command: CommandForm | null;
  readonly about: string | null;
  /** JSON Schema of the operation's arguments and of its result; null where the client core declares none. */
  readonly schema: { readonly args: unknown; readonly result: unknown };
}
