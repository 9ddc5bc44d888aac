import type { JournalEntry } from './entry.ts';

/** Message of a connection, in the form in which browsers export messages of a WebSocket, from the client's side. */
interface Message {
  readonly type: 'send' | 'receive';
  /** Seconds since the Unix epoch. */
  readonly time: number;
  /** Text, RFC 6455, section 5.2. */
  readonly opcode: 1;
  readonly data: string;
  /** Opcode of a frame of the RPC protocol. */
  readonly _rpcOpcode?: number;
}

/** Connection with all of its messages. */
export interface Conversation {
  readonly url: string;
  /** Time of the first and last entry (ms since the Unix epoch). */
  readonly from: number;
  readonly to: number;
  readonly messages: readonly Message[];
  /** Other entries of the connection. */
  readonly events: readonly object[];
  readonly about: { readonly session: string; readonly over: string; readonly pid?: number };
}

/** Connections of a journal, in the order of their first entries. */
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
  // The journal may have dropped the earlier entries.
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
