import { LocalError } from '../../base/local-error.ts';
import type { ControlClient } from '../../control/client.ts';
import type { JournalAnswer } from '../../daemon/journal.ts';
import type { JournalEntry } from '../../journal/entry.ts';

/** Minimum length of an abbreviated id. */
const LEAST_OF_ID = 4;

/** Arguments of `journal.read`. */
interface Wanted {
  readonly after?: number;
  readonly limit?: number;
  readonly session?: string | undefined;
  readonly kinds?: readonly JournalEntry['kind'][];
  /** Long-poll time (ms). */
  readonly wait?: number;
}

/** Requests a part of the journal from a running bridge. */
export async function readPage(client: ControlClient, wanted: Wanted): Promise<JournalAnswer> {
  const { wait = 0 } = wanted;
  // A long-poll is slow without the bridge being slow.
  const patience = wait === 0 ? {} : ({ timeoutMs: wait + 10_000, slowness: 'expected' } as const);
  return (await client.call('journal.read', wanted, patience)) as JournalAnswer;
}

/**
 * All current entries of the journal, and the number of dropped ones before them; entries that arrive meanwhile are
 * left out.
 */
export async function readAll(
  client: ControlClient,
  session?: string,
): Promise<{ readonly entries: readonly JournalEntry[]; readonly gone: number }> {
  const entries: JournalEntry[] = [];
  let gone = 0;
  let after = 0;
  let end = Number.POSITIVE_INFINITY;
  while (after < end) {
    const { entries: read, next, dropped, last } = await readPage(client, { after, session });
    end = Math.min(end, last);
    gone += dropped;
    for (const entry of read) if (entry.seq <= end) entries.push(entry);
    // An empty page ends after the last entry.
    after = read.length === 0 ? end : next;
  }
  return { entries, gone };
}

/**
 * Finds a session by its id or the beginning of it. Throws `LocalError` FOOTBRIDGE_ARGUMENTS if none or several match,
 * among the connected ones and those in the journal.
 */
export async function findSession(client: ControlClient, given: string): Promise<string> {
  // Sessions of the gateway have numbers, and g1 is also the beginning of g12.
  if ((await readPage(client, { session: given, limit: 1 })).entries.length > 0) return given;
  const { sessions } = await client.status();
  const known = new Set(sessions.map(({ id }) => id));
  for (const entry of (await readPage(client, { kinds: ['connect', 'end'] })).entries) {
    if ('session' in entry && entry.session !== undefined) known.add(entry.session);
  }
  const meant = [...known].filter((id) => id.startsWith(given));
  const [only] = meant;
  if (only !== undefined && (meant.length === 1 || only === given) && given.length >= LEAST_OF_ID)
    return only;
  const problem = meant.length > 1 ? 'more than one session begins with that' : 'there is no such session';
  throw new LocalError(
    'FOOTBRIDGE_ARGUMENTS',
    `--session: ${JSON.stringify(given.slice(0, 60))}: ${problem}. footbridge status lists those that are connected`,
  );
}
