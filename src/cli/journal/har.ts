import { version } from '../../daemon/version.ts';
import type { HttpPart, JournalEntry } from '../../journal/entry.ts';

/**
 * Entries as an HTTP Archive 1.2, which browsers and proxies read: exchanges over HTTP and posts to webhooks are its entries;
 * sessions of RPC and of the gateway are WebSockets in it, with `_webSocketMessages` as browsers write them.
 */
export function harOf(entries: readonly JournalEntry[]): object {
  const sockets = new Map<string, Socket>();
  const exchanges: { readonly at: number; readonly entry: object }[] = [];
  const socketOf = (session: string, at: number): Socket => {
    const known = sockets.get(session);
    if (known !== undefined) return known;
    const socket: Socket = { at, over: 'session', end: at, messages: [] };
    sockets.set(session, socket);
    return socket;
  };
  for (const entry of entries) {
    const { at } = entry;
    if (entry.kind === 'http') exchanges.push({ at, entry: exchangeOf(entry) });
    else if (entry.kind === 'webhook') exchanges.push({ at, entry: webhookOf(entry) });
    else if ('session' in entry && entry.session !== undefined) {
      const socket = socketOf(entry.session, at);
      socket.end = at;
      if (entry.kind === 'connect') socket.over = entry.over;
      const message = messageOf(entry);
      if (message !== undefined) socket.messages.push(message);
    }
  }
  for (const [session, socket] of sockets)
    exchanges.push({ at: socket.at, entry: socketEntry(session, socket) });
  return {
    log: {
      version: '1.2',
      creator: { name: 'Footbridge', version: version() },
      entries: exchanges.sort((a, b) => a.at - b.at).map(({ entry }) => entry),
    },
  };
}

interface Socket {
  at: number;
  over: string;
  end: number;
  readonly messages: object[];
}

type Of<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>;

const CACHE = {};
const UNKNOWN_SIZE = -1;

function exchangeOf({ method, path, status, ms, at, request, response }: Of<'http'>): object {
  return {
    // The entry was written at its end.
    startedDateTime: new Date(at - ms).toISOString(),
    time: ms,
    request: requestOf(method, `http://127.0.0.1${path}`, request),
    response: responseOf(status, response),
    cache: CACHE,
    timings: { send: 0, wait: ms, receive: 0 },
  };
}

function webhookOf({ url, ms, at, text, type, application, outcome }: Of<'webhook'>): object {
  const part = { headers: { 'content-type': 'application/json' }, body: text, bytes: text.length };
  const status = outcome.kind === 'answered' ? outcome.status : 0;
  return {
    startedDateTime: new Date(at - ms).toISOString(),
    time: ms,
    request: requestOf('POST', url, part),
    response: responseOf(status, { headers: {}, bytes: 0 }),
    cache: CACHE,
    timings: { send: 0, wait: ms, receive: 0 },
    comment: `${type} to application ${application}`,
    ...(outcome.kind === 'failed' ? { _error: outcome.reason } : {}),
  };
}

function socketEntry(session: string, { at, over, end, messages }: Socket): object {
  const part = { headers: {}, bytes: 0 };
  return {
    startedDateTime: new Date(at).toISOString(),
    time: end - at,
    request: requestOf('GET', `ws://127.0.0.1/${over}/${encodeURIComponent(session)}`, part),
    response: responseOf(101, part),
    cache: CACHE,
    timings: { send: 0, wait: 0, receive: end - at },
    _resourceType: 'websocket',
    _webSocketMessages: messages,
  };
}

function messageOf(entry: JournalEntry): object | undefined {
  if (entry.kind !== 'frame' && entry.kind !== 'gateway') return undefined;
  return {
    // As the app sees it.
    type: entry.direction === 'in' ? 'send' : 'receive',
    time: entry.at / 1000,
    opcode: entry.kind === 'frame' ? entry.opcode : 1,
    data: entry.text,
  };
}

function requestOf(method: string, url: string, part: HttpPart): object {
  const { search } = new URL(url);
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(part.headers),
    queryString: [...new URLSearchParams(search)].map(([name, value]) => ({ name, value })),
    headersSize: UNKNOWN_SIZE,
    bodySize: part.bytes,
    ...(part.body === undefined ? {} : { postData: { mimeType: typeOf(part), text: part.body } }),
  };
}

function responseOf(status: number, part: HttpPart): object {
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(part.headers),
    content: {
      size: part.bytes,
      mimeType: typeOf(part),
      ...(part.body === undefined ? {} : { text: part.body }),
    },
    redirectURL: part.headers['location'] ?? '',
    headersSize: UNKNOWN_SIZE,
    bodySize: part.bytes,
  };
}

function pairs(headers: Readonly<Record<string, string>>): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function typeOf({ headers }: HttpPart): string {
  return headers['content-type'] ?? 'application/octet-stream';
}
