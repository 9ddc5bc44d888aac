import type { Processes } from '../control/for-processes.ts';
import type { OperationDetails, OperationSummary } from '../control/operation-summary.ts';
import type { ControlStatus } from '../control/routes.ts';

/**
 * Which processes hold the browser's end of a connection, for the bridge to judge besides the caller: `unknown` where the
 * system should say and does not, undefined where it cannot say at all.
 */
export type ForProcesses = Processes | undefined;

/** The bridge behind a console. Each call throws `LocalError` or `ControlError`; FOOTBRIDGE_NO_DAEMON is a bridge that is away. */
export interface ConsoleBackend {
  status(): Promise<ControlStatus>;
  operations(): Promise<readonly OperationSummary[]>;
  /** One of them, with what it takes and answers. */
  operation(name: string): Promise<OperationDetails>;
  /** Runs an operation as whoever runs the console, as far as those processes may as well. */
  call(name: string, args: object, forProcesses: ForProcesses): Promise<unknown>;
  /** The report of `footbridge doctor --json`. */
  doctor(): Promise<unknown>;
}
