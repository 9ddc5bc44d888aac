import { printable } from '../../base/text.ts';
import type { Io } from '../../daemon/io.ts';
import { daemonClient, printResult } from '../daemon-client.ts';

/** Operation of the emulator, and the text for its answer. */
export interface EmulatorChange<A> {
  readonly operation: string;
  readonly args: object;
  /** Describes the answer in one line for the user; control characters are escaped afterwards. */
  describe(answer: A): string;
}

/** Calls an operation of the running emulator and prints the answer: JSON unchanged, or one line for the user. */
export async function changeEmulator<A>(io: Io, json: boolean, change: EmulatorChange<A>): Promise<number> {
  const answer = await daemonClient(io).call(change.operation, change.args);
  return printResult(io, json, answer, () => `${printable(change.describe(answer as A))}\n`);
}
