import { parseUrl } from '../base/url.ts';
import type { HttpPart, JournalEntry } from './entry.ts';
import { type Conversation, conversationsIn } from './har-conversations.ts';

/** HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/). */
export interface HttpArchive {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly object[];
  };
}

/** Base address for exchanges whose address the journal has only as a path. */
const HERE = 'http://127.0.0.1';

/**
 * Converts journal entries to an archive. Each HTTP exchange becomes an entry, and so does each connection: its
 * messages are in the field in which browsers export those of a WebSocket.
 */
export function harOf(entries: readonly JournalEntry[], version: string): HttpArchive {
  const exchanges = entries.flatMap((entry) => exchangeOf(entry) ?? []);
  const all = [...exchanges, ...conversationsIn(entries).map(conversationEntry)];
  all.sort((a, b) => (a.startedDateTime < b.startedDateTime ? -1 : 1));
  return { log: { version: '1.2', creator: { name: 'footbridge', version }, entries: all } };
}

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly timings: object;
  readonly request: object;
  readonly response: object;
  readonly cache: object;
  readonly comment?: string;
  /** Custom fields begin with an underscore, ours and those of browsers. */
  readonly [field: `_${string}`]: unknown;
}

function exchangeOf(entry: JournalEntry): Entry | undefined {
  if (entry.kind === 'http') {
    const { method, path, status, ms, request, response, at } = entry;
    return {
      ...timesOf(at, ms),
      request: requestOf(method, path, request),
      response: responseOf(status, response),
      cache: {},
    };
  }
  if (entry.kind !== 'webhook') return undefined;
  const { url, text, outcome, ms, at, application, type } = entry;
  const sent = {
    headers: { 'content-type': 'application/json' },
    body: text,
    bytes: new TextEncoder().encode(text).length,
  };
  const status = outcome.kind === 'answered' ? outcome.status : 0;
  return {
    ...timesOf(at, ms),
    request: requestOf('POST', url, sent),
    response: responseOf(status, NOTHING),
    cache: {},
    _webhook: { application, type },
    ...(outcome.kind === 'failed' ? { comment: outcome.reason } : {}),
  };
}

function conversationEntry({ url, from, to, messages, events, about }: Conversation): Entry {
  return {
    ...timesOf(to, to - from),
    request: requestOf('GET', url, NOTHING),
    response: responseOf(101, NOTHING),
    cache: {},
    _resourceType: 'websocket',
    _webSocketMessages: messages,
    _connection: { ...about, events },
  };
}

const NOTHING: HttpPart = { headers: {}, bytes: 0 };

/**
 * Times of an exchange, which the journal records at its end: `at` is the time of the end (ms since the Unix epoch).
 */
function timesOf(at: number, ms: number): Pick<Entry, 'startedDateTime' | 'time' | 'timings'> {
  return {
    startedDateTime: new Date(at - ms).toISOString(),
    time: ms,
    timings: { send: 0, wait: ms, receive: 0 },
  };
}

function requestOf(method: string, address: string, part: HttpPart): object {
  const url = parseUrl(address, HERE);
  const query = [...(url?.searchParams ?? [])].map(([name, value]) => ({ name, value }));
  return {
    method,
    url: url?.href ?? HERE,
    ...common(part),
    queryString: query,
    ...(part.body === undefined || part.bytes === 0
      ? {}
      : { postData: { mimeType: mimeType(part), params: [], text: part.body } }),
  };
}

function responseOf(status: number, part: HttpPart): object {
  return {
    status,
    statusText: '',
    ...common(part),
    content: {
      size: part.bytes,
      mimeType: mimeType(part),
      ...(part.body === undefined ? {} : { text: part.body }),
    },
    redirectURL: headerOf(part, 'location') ?? '',
  };
}

/** Cookies are secrets, so the journal has none. */
function common({ headers, bytes }: HttpPart): object {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: bytes,
  };
}

function mimeType(part: HttpPart): string {
  return headerOf(part, 'content-type') ?? '';
}

function headerOf({ headers }: HttpPart, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
