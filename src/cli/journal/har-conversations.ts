import type { JournalEntry } from '../../journal/entry.ts';

/** A message as browsers write down those of a WebSocket; from the client's side. */
interface Message {
  readonly type: 'send' | 'receive';
  /** Seconds since the Unix epoch. */
  readonly time: number;
  /** 1 is text, of RFC 6455, section 5.2. */
  readonly opcode: 1;
  readonly data: string;
  /** Of the RPC protocol, where it is one of its frames. */
  readonly _rpcOpcode?: number;
}

/** A connection with all that was said on it. */
export interface Conversation {
  readonly url: string;
  /** First and last entry (ms since the Unix epoch). */
  readonly from: number;
  readonly to: number;
  readonly messages: readonly Message[];
  /** What else happened on it. */
  readonly events: readonly object[];
  readonly about: { readonly session: string; readonly over: string; readonly pid?: number };
}

/** The connections of a journal, in the order of their first entries. */
export function conversationsIn(entries: readonly JournalEntry[]): readonly Conversation[] {
  const bySession = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    if (!('session' in entry) || entry.session === undefined) continue;
    const own = bySession.get(entry.session);
    if (own === undefined) bySession.set(entry.session, [entry]);
    else own.push(entry);
  }
  return [...bySession].map(([session, own]) => conversationOf(session, own));
}

function conversationOf(session: string, entries: readonly JournalEntry[]): Conversation {
  const connect = entries.find((entry) => entry.kind === 'connect');
  // The journal may go back only to later entries.
  const over = connect?.over ?? (entries.some(({ kind }) => kind === 'gateway') ? 'gateway' : 'unknown');
  return {
    url: `${over === 'websocket' || over === 'gateway' ? 'ws' : over}://127.0.0.1/${over === 'gateway' ? 'gateway' : 'rpc'}/${session}`,
    from: entries[0]?.at ?? 0,
    to: entries.at(-1)?.at ?? 0,
    messages: entries.flatMap((entry) => messageOf(entry) ?? []),
    events: entries.filter(({ kind }) => kind !== 'frame' && kind !== 'gateway'),
    about: { session, over, ...(connect?.pid === undefined ? {} : { pid: connect.pid }) },
  };
}

function messageOf(entry: JournalEntry): Message | undefined {
  if (entry.kind !== 'frame' && entry.kind !== 'gateway') return undefined;
  const { direction, at, text } = entry;
  return {
    type: direction === 'in' ? 'send' : 'receive',
    time: at / 1000,
    opcode: 1,
    data: text,
    ...(entry.kind === 'frame' ? { _rpcOpcode: entry.opcode } : {}),
  };
}
