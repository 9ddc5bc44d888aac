import type { ControlClient } from '../../control/client.ts';
import type { JournalEntry } from '../../journal/entry.ts';

/** Answer of `journal.read`. */
export interface Page {
  readonly entries: readonly JournalEntry[];
  readonly next: number;
  readonly dropped: number;
  readonly last: number;
}

/** The part of a query that names a session; all without one. */
export function lookingFor(session: string | undefined): { readonly session?: string } {
  return session === undefined ? {} : { session };
}

/** Everything that a journal holds now, oldest first, part by part. */
export async function* entriesOf(
  client: ControlClient,
  session: string | undefined,
): AsyncGenerator<JournalEntry> {
  let after = 0;
  let last = Number.POSITIVE_INFINITY;
  while (after < last) {
    const page = (await client.call('journal.read', { ...lookingFor(session), after })) as Page;
    // What comes meanwhile is not waited for.
    last = Math.min(last, page.last);
    for (const entry of page.entries) if (entry.seq <= last) yield entry;
    if (page.next <= after) return;
    after = page.next;
  }
}
