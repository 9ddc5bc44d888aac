import type { JournalEntry } from './entry.ts';
import type { Exchange, Peer } from './exchange.ts';
import { type EntryFacts, factsOf } from './exchange-facts.ts';

/** Maximum of remembered sessions; the oldest is forgotten first. */
const MAX_SESSIONS = 5000;
/** Maximum of requests of one session that wait for an answer; the oldest key is forgotten first. */
const MAX_OPEN = 5000;
/** Time in which a bot must answer an interaction, as on the platform (ms). */
const INTERACTION_MS = 3000;
/** Maximum length of a stored nonce, in characters. */
const MAX_KEY = 128;

/** What an entry did to the rows. */
export interface Change {
  /** Row that has the entry. */
  readonly row: Exchange;
  /** Whether the entry began the row; otherwise it is the answer of an earlier row. */
  readonly isNew: boolean;
  /**
   * Earlier rows that the entry changed, too: requests whose connection ended with it, interactions whose time for an
   * answer has passed, and the interaction that it answers.
   */
  readonly others: readonly Exchange[];
}

type Row = { -readonly [Key in keyof Exchange]: Exchange[Key] };

interface Session {
  readonly peer: Peer;
  /** Requests without an answer by their key, oldest first. */
  readonly open: Map<string, Row[]>;
}

/**
 * Pairs requests with answers: frames by session and nonce, HANDSHAKE with READY, heartbeats with their ACK. An interaction
 * and the HTTP request of the bot that answers it stay two rows.
 */
export class Exchanges {
  readonly #sessions = new Map<string, Session>();
  /** Peers outside of a connection by their application. */
  readonly #callers = new Map<string, Peer>();
  /** Interactions without an answer by their id, oldest first. */
  readonly #interactions = new Map<string, Row>();
  #id = 0;
  #seq = 0;

  /** Takes the next entry of the journal. A lower number is of another bridge, so nothing stays open. */
  add(entry: JournalEntry): Change {
    if (entry.seq <= this.#seq) {
      this.#sessions.clear();
      this.#interactions.clear();
    }
    this.#seq = entry.seq;
    const late = this.expire(entry.at);
    const facts = factsOf(entry);
    const session =
      'session' in entry && entry.session !== undefined ? this.#session(entry.session) : undefined;
    const peer = session?.peer ?? this.#caller(facts.app);
    peer.app ??= facts.app;
    const row = session && this.#answered(session, facts);
    if (row !== undefined) {
      answer(row, entry, facts);
      return { row, isNew: false, others: late };
    }
    const begun = this.#begin(entry, facts, peer);
    if (session !== undefined && facts.asks !== undefined) ask(session, facts.asks, begun);
    const changed = entry.kind === 'end' ? this.#end(entry.session) : this.#interact(facts, begun, entry.at);
    return { row: begun, isNew: true, others: [...late, ...changed] };
  }

  /** Whether an interaction waits for its answer. */
  get hasInteractions(): boolean {
    return this.#interactions.size > 0;
  }

  /** Interactions that can no longer be answered at this time; their rows stay without an answer. */
  expire(now: number): readonly Exchange[] {
    const late: Exchange[] = [];
    for (const [id, row] of this.#interactions) {
      if (row.at + INTERACTION_MS >= now) break;
      row.state = 'unanswered';
      this.#interactions.delete(id);
      late.push(row);
    }
    return late;
  }

  /** Stores the application of a session whose first entries are not in the journal. */
  learn(session: string, app: string): void {
    this.#session(session).peer.app ??= app;
  }

  #begin(entry: JournalEntry, { kind, name, state, code, ms, bytes }: EntryFacts, peer: Peer): Row {
    this.#id += 1;
    const isSent = 'direction' in entry && entry.direction === 'out';
    const own = isSent || entry.kind === 'close' ? { answer: entry } : { request: entry };
    // An entry with a duration is recorded at its end.
    const at = entry.at - (ms ?? 0);
    return { id: this.#id, seq: entry.seq, at, peer, kind, name, state, code, ms, bytes, ...own };
  }

  /** Oldest open request that the entry answers. */
  #answered({ open }: Session, { answers }: EntryFacts): Row | undefined {
    for (const key of answers ?? NO_KEYS) {
      const waiting = open.get(key.slice(0, MAX_KEY));
      const row = waiting?.shift();
      if (waiting?.length === 0) open.delete(key.slice(0, MAX_KEY));
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** Stores an interaction, or answers one at this time; returns the row that was answered. */
  #interact({ interaction: id, kind }: EntryFacts, row: Row, at: number): readonly Exchange[] {
    if (id === undefined) return [];
    if (kind === 'gateway') {
      this.#interactions.set(id, row);
      forgetOldest(this.#interactions, MAX_OPEN);
      return [];
    }
    const answered = this.#interactions.get(id);
    if (answered === undefined) return [];
    this.#interactions.delete(id);
    answered.state = 'ok';
    answered.code = 'ok';
    answered.ms = Math.max(0, at - answered.at);
    return [answered];
  }

  #end(id: string): readonly Exchange[] {
    const rows = [...(this.#sessions.get(id)?.open.values() ?? [])].flat();
    for (const row of rows) row.state = 'unanswered';
    this.#sessions.get(id)?.open.clear();
    return rows;
  }

  #session(id: string): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = { peer: { session: id, app: undefined }, open: new Map<string, Row[]>() };
    this.#sessions.set(id, session);
    forgetOldest(this.#sessions, MAX_SESSIONS);
    return session;
  }

  #caller(app = ''): Peer {
    const known = this.#callers.get(app);
    if (known !== undefined) return known;
    const peer = { session: undefined, app: app === '' ? undefined : app };
    this.#callers.set(app, peer);
    forgetOldest(this.#callers, MAX_SESSIONS);
    return peer;
  }
}

/**
 * Puts new rows that came together in the order in which they began, and numbers them anew: a request over HTTP comes with
 * its answer, after the events that it caused.
 */
export function orderByBegin(rows: Exchange[]): void {
  const first = rows[0]?.id ?? 0;
  rows.sort((a, b) => a.at - b.at);
  for (const [index, row] of rows.entries()) renumber(row, first + index);
}

function renumber(row: Row, id: number): void {
  row.id = id;
}

const NO_KEYS: readonly string[] = [];

function ask({ open }: Session, key: string, row: Row): void {
  const short = key.slice(0, MAX_KEY);
  const waiting = open.get(short);
  if (waiting === undefined) open.set(short, [row]);
  else waiting.push(row);
  if ((waiting?.length ?? 0) > MAX_OPEN) waiting?.shift();
  forgetOldest(open, MAX_OPEN);
}

function answer(row: Row, entry: JournalEntry, { state, code, bytes }: EntryFacts): void {
  row.answer = entry;
  row.state = state === 'none' ? 'ok' : state;
  row.code = code === '' ? 'ok' : code;
  row.ms = Math.max(0, entry.at - row.at);
  row.bytes += bytes;
}

function forgetOldest(map: Map<string, unknown>, max: number): void {
  if (map.size <= max) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
