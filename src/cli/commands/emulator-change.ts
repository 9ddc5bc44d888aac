import { printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { askDaemon, printJson } from '../ask-daemon.ts';

/** One operation of the emulator, and what a person is told of its answer. */
export interface EmulatorChange<A> {
  readonly operation: string;
  readonly args: object;
  /** One line; it is made safe for a terminal afterwards. */
  say(answer: A): string;
}

/** Has the running emulator do something and prints the answer: JSON as it is, or one line for a person. */
export async function changeEmulator<A>(io: Io, json: boolean, change: EmulatorChange<A>): Promise<number> {
  const answer = await askDaemon(io).call(change.operation, change.args);
  if (json) printJson(io, answer);
  else io.out(`${printable(change.say(answer as A))}\n`);
  return ExitCode.OK;
}
