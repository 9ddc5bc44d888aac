import { LocalError } from '../../base/local-error.ts';
import type { ControlClient } from '../../control/client.ts';
import type { JournalAnswer } from '../../daemon/journal.ts';
import type { JournalEntry } from '../../journal/entry.ts';

/** Minimum length of an abbreviated id. */
const MIN_ID_LENGTH = 4;

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
  // A long poll takes long although the bridge is not slow.
  const callOptions = wait === 0 ? {} : ({ timeoutMs: wait + 10_000, slowness: 'expected' } as const);
  return (await client.call('journal.read', wanted, callOptions)) as JournalAnswer;
}

/**
 * Reads all current entries of the journal, and the number of entries dropped before them; entries that arrive
 * meanwhile are left out.
 */
export async function readAll(
  client: ControlClient,
  session?: string,
): Promise<{ readonly entries: readonly JournalEntry[]; readonly removed: number }> {
  const entries: JournalEntry[] = [];
  let removed = 0;
  let after = 0;
  let end = Number.POSITIVE_INFINITY;
  while (after < end) {
    const { entries: read, next, dropped, last } = await readPage(client, { after, session });
    end = Math.min(end, last);
    removed += dropped;
    for (const entry of read) if (entry.seq <= end) entries.push(entry);
    // An empty page means that no entry is left before the end.
    after = read.length === 0 ? end : next;
  }
  return { entries, removed };
}

/**
 * Finds a session by its id or by the beginning of its id, among the connected sessions and those in the journal.
 * Throws `LocalError` FOOTBRIDGE_ARGUMENTS if no session or more than one matches.
 */
export async function findSession(client: ControlClient, prefix: string): Promise<string> {
  // A complete id has priority: sessions of the gateway have numbers, and g1 is also the beginning of g12.
  if ((await readPage(client, { session: prefix, limit: 1 })).entries.length > 0) return prefix;
  const { sessions } = await client.status();
  const known = new Set(sessions.map(({ id }) => id));
  for (const entry of (await readPage(client, { kinds: ['connect', 'end'] })).entries) {
    if ('session' in entry && entry.session !== undefined) known.add(entry.session);
  }
  const meant = [...known].filter((id) => id.startsWith(prefix));
  const [only] = meant;
  if (only !== undefined && (meant.length === 1 || only === prefix) && prefix.length >= MIN_ID_LENGTH)
    return only;
  const problem = meant.length > 1 ? 'more than one session begins with that' : 'there is no such session';
  throw new LocalError(
    'FOOTBRIDGE_ARGUMENTS',
    `--session: ${JSON.stringify(prefix.slice(0, 60))}: ${problem}. footbridge status lists those that are connected`,
  );
}
