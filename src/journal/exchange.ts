import type { JournalEntry } from './entry.ts';

/** Every kind of row: `session` is the begin and the end of a connection and what is wrong with it. */
export const EXCHANGE_KINDS = [
  'rpc',
  'event',
  'http',
  'gateway',
  'webhook',
  'fault',
  'session',
  'refused',
  'missing',
  'violation',
  'clock',
] as const;

export type ExchangeKind = (typeof EXCHANGE_KINDS)[number];

/** Other end of a row; the rows of one connection share it. */
export interface Peer {
  /** Id of the session; undefined for entries outside of a connection, such as those of HTTP. */
  readonly session: string | undefined;
  /** Id of the application; undefined until it is known. */
  app: string | undefined;
}

/**
 * State of a row. `open`: the request has no answer yet. `unanswered`: the connection ended before the answer, or the
 * time for it passed. `none`:
 * an entry that neither asks nor answers, such as an event.
 */
export type ExchangeState = 'open' | 'ok' | 'failed' | 'warning' | 'unanswered' | 'none';

/**
 * One row of traffic: a request with its answer, or an entry alone. The row of a request changes when the answer
 * comes.
 */
export interface Exchange {
  /** Number of the row; unlike `seq` it does not begin again with the next bridge. */
  readonly id: number;
  /** Number of its first entry in the journal. */
  readonly seq: number;
  /** Time at which it began, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly peer: Peer;
  readonly kind: ExchangeKind;
  /** Command, event, type, or method and path without query and version of the API. */
  readonly name: string;
  /** Entry of the side that asks, or an entry that has no direction. HTTP and webhooks have the answer in it. */
  readonly request?: JournalEntry;
  /** Entry that the bridge sent: the answer to `request`, or an event. */
  readonly answer?: JournalEntry;
  readonly state: ExchangeState;
  /** Code or status of the result as text; empty where there is none. */
  readonly code: string;
  /** Time from the request to the answer; undefined before the answer, and for an entry alone. */
  readonly ms: number | undefined;
  /** Size of the texts of both entries as sent. */
  readonly bytes: number;
}

/** Entries of a row: the request, then the answer. */
export function entriesOf({ request, answer }: Exchange): readonly JournalEntry[] {
  return [request, answer].filter((entry) => entry !== undefined);
}

/** First entry of a row. */
export function firstOf({ request, answer }: Exchange): JournalEntry {
  const first = request ?? answer;
  if (first === undefined) throw new Error('a row has an entry');
  return first;
}

/**
 * Whether an entry, or the only entry of a row, is a request together with its answer. It is recorded at the time of the
 * answer, after the events that the request causes.
 */
export function hasAnswer({ kind }: JournalEntry | Exchange): boolean {
  return kind === 'http' || kind === 'webhook';
}

/** Whether a row failed, or stays without an answer. */
export function isError({ state }: Exchange): boolean {
  return state === 'failed' || state === 'unanswered';
}

/** Whether the duration of a row is the time that a person took to decide. */
export function isWait({ kind, name }: Exchange): boolean {
  return kind === 'rpc' && name === 'AUTHORIZE';
}

/** Whether the operator sent the request of a row by hand. */
export function isByHand(row: Exchange): boolean {
  return entriesOf(row).some((entry) => 'byHand' in entry);
}
