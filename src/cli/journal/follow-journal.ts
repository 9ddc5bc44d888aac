import { setTimeout as delay } from 'node:timers/promises';
import { isLocalError, systemCode } from '../../base/local-error.ts';
import { type Style, styleFor } from '../../base/style.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import type { JournalAnswer } from '../../daemon/journal.ts';
import { describedLine } from '../../journal/describe.ts';
import { droppedLine, entryLine } from '../../journal/format.ts';
import { daemonClient } from '../daemon-client.ts';
import { EntryFilter, hasIntroduction } from './entry-filter.ts';
import { findSession, readPage } from './read-journal.ts';

/** Long-poll time (ms): a closed reader is detected within it. */
const WAIT_MS = 1000;
/** Poll interval while no bridge runs (ms). */
const POLL_MS = 300;

/** Options of a call of `footbridge watch`. */
export interface Following {
  readonly session: string | undefined;
  readonly filter: string | undefined;
  readonly json: boolean;
}

/**
 * Prints new journal entries until the process is interrupted or its reader closes the pipe. After the end of a bridge
 * it waits for the next one. The number of dropped entries is printed at the position where they are missing.
 */
export async function followJournal(
  { session: sessionPrefix, filter: filterText, json }: Following,
  io: Io,
): Promise<ExitCode> {
  const filter = filterText === undefined ? undefined : new EntryFilter(filterText);
  const client = daemonClient(io);
  const style = styleFor(io.colour.out);
  const session = sessionPrefix === undefined ? undefined : await findSession(client, sessionPrefix);
  let { last: after, begun } = await readPage(client, { limit: 1 });
  filter?.learn(await client.status());
  let state: 'followed' | 'gone' = 'followed';
  if (io.terminal.err) io.err(`Following ${session ?? 'all sessions'}; Ctrl-C ends it.\n`);
  while (!io.outClosed.aborted) {
    const page = await readPage(client, { after, session, wait: WAIT_MS }).catch(unlessEnded);
    if (page === undefined) {
      if (state === 'followed') io.err('footbridge: the bridge has ended; waiting for the next one\n');
      state = 'gone';
      await delay(POLL_MS);
      continue;
    }
    if (state === 'gone') io.err('footbridge: a bridge is there again\n');
    state = 'followed';
    if (page.begun !== begun) {
      // The new bridge counts from 1, so the old position is invalid.
      ({ begun } = page);
      after = 0;
      continue;
    }
    after = page.next;
    if (filter !== undefined && hasIntroduction(page.entries))
      await client.status().then((status) => filter.learn(status), unlessEnded);
    const entries = filter === undefined ? page.entries : page.entries.flatMap((entry) => filter.take(entry));
    const text = pageText({ ...page, entries }, json, style);
    if (text === '') continue;
    io.out(text);
    await io.outTaken();
  }
  return ExitCode.OK;
}

function pageText({ entries, dropped }: JournalAnswer, json: boolean, style: Style): string {
  const lines = entries.map((entry) => (json ? entryLine(entry) : describedLine(entry, style)));
  return `${dropped === 0 ? '' : missingLine(dropped, json, style)}${lines.join('')}`;
}

function missingLine(entries: number, json: boolean, style: Style): string {
  if (json) return droppedLine(entries);
  const what = entries === 1 ? '1 entry is' : `${entries} entries are`;
  return `${style.warn(`${what} missing here: they came faster than they could be read`)}\n`;
}

/** Ignores the errors of a bridge that ends: it refuses a request or cuts its answer. */
function unlessEnded(error: unknown): undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const isEnded = isLocalError(error) && error.code === 'FOOTBRIDGE_NO_DAEMON';
  if (!isEnded && systemCode(error) !== 'ECONNRESET' && systemCode(cause) !== 'ECONNRESET') throw error;
}
