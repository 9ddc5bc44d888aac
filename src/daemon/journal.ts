import * as z from 'zod';
import { adminOperationsFor } from '../base/admin-operation.ts';
import { LocalError } from '../base/local-error.ts';
import { ENTRY_KINDS, type JournalEntry } from '../journal/entry.ts';
import type { Journal, JournalPage } from '../journal/journal.ts';

/** Default number of entries in one answer, which is limited because an answer is one JSON value. */
const MAX_PAGE_ENTRIES = 1000;
/** Maximum wait of one call for a new entry (ms). */
const MAX_WAIT_MS = 30_000;

const readArgs = () =>
  z.object({
    after: z.optional(z.int().check(z.gte(0))),
    limit: z.optional(z.int().check(z.gte(1), z.lte(MAX_PAGE_ENTRIES))),
    session: z.optional(z.string().check(z.maxLength(64))),
    kinds: z.optional(z.array(z.enum(ENTRY_KINDS)).check(z.maxLength(ENTRY_KINDS.length))),
    wait: z.optional(z.int().check(z.gte(0), z.lte(MAX_WAIT_MS))),
  });

/** Answer of `journal.read`. */
export interface JournalAnswer extends JournalPage {
  /** Number of the newest entry, whatever the filter. */
  readonly last: number;
  /**
   * Start of the journal (ms since the Unix epoch). A different value means a new journal, which counts from 1 again.
   */
  readonly begun: number;
}

/** Schema of an entry, not checked: its shape is that of the journal itself, which reference and types name. */
const entry = () => z.custom<JournalEntry>().meta({ title: 'JournalEntry' });

const operation = adminOperationsFor<{ readonly journal: Journal | undefined }>();

/** Operations that read the journal of a bridge. Without a journal they throw `LocalError` FOOTBRIDGE_JOURNAL. */
export const journalOperations = [
  operation({
    name: 'journal.read',
    summary: 'What passed the bridge; wait=MS waits so long for something after what was read',
    about:
      '`next` is what to give as `after` next, `dropped` how many entries were gone before they could be read, `last` the number ' +
      'of the newest entry, and `begun` when the journal began (ms since the Unix epoch).',
    args: readArgs,
    result: () =>
      z.object({
        entries: z.array(entry()),
        next: z.number(),
        dropped: z.number(),
        last: z.number(),
        begun: z.number(),
      }),
    run: async ({ journal }, { wait = 0, limit = MAX_PAGE_ENTRIES, after, session, kinds }) => {
      const from = there(journal);
      const query = {
        limit,
        ...(after === undefined ? {} : { after }),
        ...(session === undefined ? {} : { session }),
        ...(kinds === undefined ? {} : { kinds }),
      };
      const read = (): JournalAnswer => ({
        ...from.read(query),
        last: from.last,
        begun: from.begun,
      });
      const page = read();
      if (wait === 0 || page.entries.length > 0 || page.dropped > 0) return page;
      await added(from, wait);
      return read();
    },
  }),
] as const;

function there(journal: Journal | undefined): Journal {
  if (journal?.isOn) return journal;
  throw new LocalError(
    'FOOTBRIDGE_JOURNAL',
    'This bridge keeps no journal. Set journal = true in its configuration, and start it again.',
  );
}

/** Resolves shortly after a new entry, so that entries of one burst are read together, or after `ms`. */
async function added(journal: Journal, ms: number): Promise<void> {
  let stop = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    stop = journal.follow(() => resolve());
    timer = setTimeout(resolve, ms);
  });
  clearTimeout(timer);
  stop();
  await new Promise<void>((resolve) => {
    setTimeout(resolve, GATHER_MS);
  });
}

/** Time in which entries of one burst are gathered (ms). */
const GATHER_MS = 40;
