import type { Processes } from '../control/for-processes.ts';
import type { OperationDetails, OperationSummary } from '../control/operation-summary.ts';
import type { ControlStatus } from '../control/routes.ts';

/**
 * Processes at the browser's end of a connection; the bridge checks them in addition to the caller. `unknown`: the
 * system should know the processes, but does not. Undefined: the system cannot know them at all.
 */
export type ForProcesses = Processes | undefined;

/** Report for a bug, and the name of the file it would be written to. */
export interface Bugreport {
  readonly name: string;
  readonly text: string;
}

/**
 * Bridge behind a console. Each call throws `LocalError` or `ControlError`; FOOTBRIDGE_NO_DAEMON when no bridge runs.
 */
export interface ConsoleBackend {
  status(): Promise<ControlStatus>;
  operations(): Promise<readonly OperationSummary[]>;
  /** Arguments and result of one operation. */
  operation(name: string): Promise<OperationDetails>;
  /** Runs an operation with the rights of the console's user, restricted to those of the given processes. */
  call(name: string, args: object, forProcesses: ForProcesses): Promise<unknown>;
  /** Report of `footbridge doctor --json`. */
  doctor(): Promise<unknown>;
  /** Report of `footbridge bugreport`: possible secrets are hidden in its text. */
  bugreport(): Promise<Bugreport>;
}
