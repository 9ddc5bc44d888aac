import { isLocalError } from '../base/local-error.ts';

/** Exit codes of the process; the numbers above 63 are those of sysexits(3). */
export const ExitCode = {
  OK: 0,
  FAILED: 1,
  /** The command worked and reports findings. */
  FINDINGS: 2,
  /** Exit codes of `status`, with the numbers that init scripts use (LSB). */
  STOPPED: 3,
  NOT_INSTALLED: 4,
  USAGE: 64,
  NO_DAEMON: 69,
  /** Internal defect of the bridge; the log has its line. */
  INTERNAL: 70,
  /** The change is in force, but not stored. */
  UNSTORED: 74,
  TAKEN: 75,
  CONFIGURATION: 78,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** One line for each exit code, for `--help`. */
export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [ExitCode.OK, 'it worked'],
  [ExitCode.FAILED, 'it failed; the message says why'],
  [ExitCode.FINDINGS, 'it worked and found problems'],
  [ExitCode.STOPPED, 'status: the service is installed and does not run'],
  [ExitCode.NOT_INSTALLED, 'status: no service is installed and no bridge runs'],
  [ExitCode.USAGE, 'the command line is wrong'],
  [ExitCode.NO_DAEMON, 'no bridge runs for this folder, or what the command needs is not installed'],
  [ExitCode.INTERNAL, 'a defect of the program itself'],
  [ExitCode.UNSTORED, 'the change is in force, but cannot be stored: it ends with the bridge'],
  [ExitCode.TAKEN, 'the endpoint, port or data folder is taken'],
  [ExitCode.CONFIGURATION, 'a setting, file or folder is wrong'],
];

const byErrorCode: ReadonlyMap<string, ExitCode> = new Map<string, ExitCode>([
  ['FOOTBRIDGE_USAGE', ExitCode.USAGE],
  // The bridge rejects arguments that only it can validate, so the code is that of a usage error.
  ['FOOTBRIDGE_ARGUMENTS', ExitCode.USAGE],
  ['FOOTBRIDGE_NO_DAEMON', ExitCode.NO_DAEMON],
  ['FOOTBRIDGE_NO_SUITE', ExitCode.NO_DAEMON],
  ['FOOTBRIDGE_NO_CHROMIUM', ExitCode.NO_DAEMON],
  ['FOOTBRIDGE_ENDPOINT_TAKEN', ExitCode.TAKEN],
  ['FOOTBRIDGE_PORT_TAKEN', ExitCode.TAKEN],
  ['FOOTBRIDGE_DATA_TAKEN', ExitCode.TAKEN],
  ['FOOTBRIDGE_ACTIVATION', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_CONFIG', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_CORE', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_DATA', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_ENDPOINT_FOLDER', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_ENVIRONMENT', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_FIXTURE', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_INPUT', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_LOCK', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_NODE_IPC', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_PEER_CHECK', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_RECEIPT', ExitCode.CONFIGURATION],
  ['FOOTBRIDGE_PATH_TOO_LONG', ExitCode.CONFIGURATION],
]);

/** The exit code for a thrown value; a value without a listed `FOOTBRIDGE_…` code is a plain failure. */
export function exitCodeOf(error: unknown): ExitCode {
  return (isLocalError(error) ? byErrorCode.get(error.code) : undefined) ?? ExitCode.FAILED;
}
