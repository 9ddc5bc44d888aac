import { printable } from '../base/text.ts';
import type { ControlClient } from '../control/client.ts';
import { ExitCode } from '../daemon/exit-codes.ts';
import type { Io } from '../daemon/io.ts';
import { unstoredText } from '../daemon/state-files.ts';
import { unstoredIn } from './bridge-places.ts';

/** Warns on stderr of a change that the bridge could not store, and returns the exit code of the command. */
export function storedExitCode(io: Pick<Io, 'err'>, answer: unknown): ExitCode {
  const text = unstoredText(answer);
  if (text === undefined) return ExitCode.OK;
  io.err(`footbridge: ${text}\n`);
  return ExitCode.UNSTORED;
}

/** Warns on stderr of each state file whose last change the bridge could not store, beside a list of its entries. */
export async function warnOfUnstored(
  io: Pick<Io, 'err'>,
  client: Pick<ControlClient, 'status'>,
): Promise<void> {
  for (const line of unstoredIn(await client.status()))
    io.err(`footbridge: not stored: ${printable(line)}. Its last changes hold until the bridge ends.\n`);
}
