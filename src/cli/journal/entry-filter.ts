import type { ControlStatus } from '../../control/routes.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { type Exchange, firstOf } from '../../journal/exchange.ts';
import { Exchanges } from '../../journal/exchanges.ts';
import { matcherOf, type RowTest } from '../../journal/filter/match.ts';
import { parseFilter } from '../../journal/filter/parse.ts';
import { Opcode } from '../../wire/codes.ts';
import { textOption } from '../command.ts';
import { usage } from '../parse.ts';

/** Option that selects requests and answers by a filter. */
export const filterOption = textOption(
  'EXPR',
  "what matches: app:NAME, cmd:NAME, status:error, kind:http, 'ms:>100', re:PATTERN, words; - before it: all else",
);

/** Names of applications and applications of sessions. */
type Sessions = Pick<ControlStatus, 'sessions'>;

/** Entries that a filter lets through. A request whose answer decides comes together with it. */
export class EntryFilter {
  readonly #exchanges = new Exchanges();
  readonly #names = new Map<string, string>();
  readonly #test: RowTest;
  readonly #passed = new WeakSet<Exchange>();

  /** Throws a usage error for a filter that cannot be read. */
  constructor(text: string) {
    if (text.trim() === '') throw usage('--filter: must not be empty.', { name: 'watch' });
    const parsed = parseFilter(text);
    if (parsed.kind === 'problem') {
      const { from, to, message } = parsed.problem;
      const place = JSON.stringify(text.slice(from, Math.min(to, from + 60)));
      throw usage(`--filter: ${place} at character ${from + 1}: ${message}`, { name: 'watch' });
    }
    this.#test = matcherOf(parsed.terms, (app) => this.#names.get(app ?? ''));
  }

  /** Learns which application a session has. */
  learn({ sessions }: Sessions): void {
    for (const { id, clientId, application } of sessions) {
      if (clientId === null) continue;
      this.#exchanges.learn(id, clientId);
      if (application !== null) this.#names.set(clientId, application);
    }
  }

  /** Entries to show for the next entry of the journal, which may be earlier ones. */
  take(entry: JournalEntry): readonly JournalEntry[] {
    const { row, isNew, others } = this.#exchanges.add(entry);
    const late = others.filter((one) => this.#isLate(one)).map(firstOf);
    if (!this.#test(row)) return late;
    const isLate = this.#isLate(row) && !isNew;
    return [...late, ...(isLate ? [firstOf(row)] : []), entry];
  }

  /** Whether the request of a row passes now, but was not shown when it came. */
  #isLate(row: Exchange): boolean {
    if (this.#passed.has(row) || !this.#test(row)) return false;
    this.#passed.add(row);
    return true;
  }
}

/** Whether an app introduces itself in one of the entries, so that the status knows its name now. */
export function hasIntroduction(entries: readonly JournalEntry[]): boolean {
  return entries.some(
    (entry) => entry.kind === 'connect' || (entry.kind === 'frame' && entry.opcode === Opcode.HANDSHAKE),
  );
}
