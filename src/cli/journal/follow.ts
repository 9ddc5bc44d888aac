import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../../platform/local-error.ts';
import { printableJson } from '../../../platform/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { styleFor } from '../../daemon/style.ts';
import { askDaemon } from '../ask-daemon.ts';
import { lineOf } from './lines.ts';
import { lookingFor, type Page } from './read.ts';

/** One call waits so long for something new; after it, whether the reader of the output is still there is looked at (ms). */
const WAIT_MS = 2_000;
/** How often a bridge that is gone is looked for (ms). */
const LOOK_MS = 500;

/**
 * Prints what passes from now on, until the program is ended or its reader leaves. It waits for a bridge that goes away while
 * it watches, and says so; it throws where there is none at the beginning, or no journal.
 */
export async function followJournal(session: string | undefined, json: boolean, io: Io): Promise<ExitCode> {
  const client = askDaemon(io);
  const style = styleFor(io.colour.out);
  const query = lookingFor(session);
  const read = async (args: object): Promise<Page> =>
    (await client.call('journal.read', { ...query, ...args }, { slowness: 'expected' })) as Page;
  let after = (await read({ limit: 1 })).last;
  let isGone = false;
  while (!io.outGone.aborted) {
    try {
      const page = await read({ after, wait: WAIT_MS });
      if (isGone) io.err('footbridge: the bridge is there again\n');
      isGone = false;
      if (page.dropped > 0)
        io.err(`footbridge: ${page.dropped} entries were gone before they could be read\n`);
      for (const entry of page.entries) io.out(json ? `${printableJson(entry)}\n` : lineOf(entry, style));
      // A new bridge counts from the beginning.
      after = page.last < after ? 0 : page.next;
    } catch (error) {
      if (!GONE.has(systemCode(error) ?? '')) throw error;
      if (!isGone) io.err('footbridge: the bridge is gone; waiting for the next one\n');
      isGone = true;
      await delay(LOOK_MS);
    }
  }
  return ExitCode.OK;
}

const GONE: ReadonlySet<string> = new Set(['FOOTBRIDGE_NO_DAEMON', 'FOOTBRIDGE_CONTROL', 'ECONNRESET']);
