import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Io } from '../daemon/io.ts';

/** Asks a question at the terminal; only `y` and `yes` are a yes. */
export async function confirmed(question: string, io: Pick<Io, 'stdin' | 'err'>): Promise<boolean> {
  const lines = createInterface({ input: io.stdin });
  io.err(`${question} [y/N] `);
  // The end of the input is a no.
  const line = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  return /^y(?:es)?$/i.test(String(line[0] ?? '').trim());
}
