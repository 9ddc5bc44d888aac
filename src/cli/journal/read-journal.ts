import { LocalError } from '../../base/local-error.ts';
import type { ControlClient } from '../../control/client.ts';
import type { JournalAnswer } from '../../daemon/journal.ts';
import type { JournalEntry } from '../../journal/entry.ts';

/** The shortest beginning of an id that names a session. */
const LEAST_OF_ID = 4;

/** What of a journal is wanted from a running bridge; see `journal.read`. */
interface Wanted {
  readonly after?: number;
  readonly limit?: number;
  readonly session?: string | undefined;
  readonly kinds?: readonly JournalEntry['kind'][];
  /** How long to wait for something new (ms). */
  readonly wait?: number;
}

/** Asks a running bridge for a part of its journal. */
export async function readPage(client: ControlClient, wanted: Wanted): Promise<JournalAnswer> {
  const { wait = 0 } = wanted;
  // That it takes long tells nothing of the bridge.
  const patience = wait === 0 ? {} : ({ timeoutMs: wait + 10_000, slowness: 'expected' } as const);
  return (await client.call('journal.read', wanted, patience)) as JournalAnswer;
}

/** All that the journal keeps now, and how many entries are gone before it; what comes meanwhile is left out. */
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
    // An empty page ends behind the last entry.
    after = read.length === 0 ? end : next;
  }
  return { entries, gone };
}

/**
 * The session that a person means by its id or the beginning of it. Throws `LocalError` FOOTBRIDGE_ARGUMENTS where none
 * or more than one is connected, or was, as far as the journal goes back.
 */
export async function findSession(client: ControlClient, given: string): Promise<string> {
  // Those of the gateway have numbers, and the beginning of g12 is another's.
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
