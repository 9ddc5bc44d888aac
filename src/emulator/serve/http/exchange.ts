import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { HttpPart } from '../../../journal/entry.ts';
import type { Journal } from '../../../journal/journal.ts';
import {
  addressWithoutSecrets,
  headerWithoutSecrets,
  textWithoutSecrets,
  wordsWithoutSecrets,
} from '../../../journal/without-secrets.ts';
import type { Content, Download, Page, Reply } from '../../api/reply.ts';

/** A longer body is only told of (characters). */
const MOST_KEPT = 64 * 1024;

/** What is told of a file that came with a request. */
interface CameWith {
  readonly name: string;
  readonly bytes: { readonly length: number };
}

/** What usual headers of requests hold: a client sends the same each time, which is looked at once. */
export class SeenHeaders {
  readonly #last = new Map<string, { readonly value: string; readonly shown: string }>();

  /** The value without what is secret in it. */
  shown(name: string, value: string): string {
    const last = this.#last.get(name);
    if (last?.value === value) return last.shown;
    const shown = headerWithoutSecrets(name, value);
    this.#last.set(name, { value, shown });
    return shown;
  }
}

/** One request and its answer, on their way into the journal. */
export class Exchange {
  readonly #journal: Journal;
  readonly #request: IncomingMessage;
  readonly #began = performance.now();
  readonly #seen: SeenHeaders;
  #asked: string | undefined;

  constructor(journal: Journal, request: IncomingMessage, seen: SeenHeaders) {
    this.#journal = journal;
    this.#request = request;
    this.#seen = seen;
  }

  /** The body of the request, once it has been read. */
  asked(value: unknown, files: readonly CameWith[]): void {
    if (value === undefined && files.length === 0) return;
    const texts = [
      ...(value === undefined ? [] : [writtenBody(value)]),
      ...files.map(({ name, bytes }) => `(file ${wordsWithoutSecrets(name)}, ${bytes.length} bytes)`),
    ];
    this.#asked = texts.join('\n');
  }

  /** Writes both down, with the text that was sent and its headers. */
  answered(
    reply: Reply | Page | Download | Content,
    headers: OutgoingHttpHeaders,
    text: string | undefined,
  ): void {
    const { method = '', url = '', headers: asked } = this.#request;
    this.#journal.add({
      kind: 'http',
      method,
      path: addressWithoutSecrets(url),
      status: reply.status,
      ms: performance.now() - this.#began,
      request: {
        headers: headersOf(asked, (name, value) => this.#seen.shown(name, value)),
        ...(this.#asked === undefined ? {} : { body: this.#asked }),
        bytes: Number(asked['content-length'] ?? 0),
      },
      response: answerPart(
        reply,
        headersOf(headers, (_, value) => value),
        text,
      ),
    });
  }

  /** Writes down that a fault strikes it. */
  struck(fault: string, what: string): void {
    const { method = '', url = '' } = this.#request;
    this.#journal.add({ kind: 'fault', fault, what: `${what}: ${method} ${addressWithoutSecrets(url)}` });
  }
}

function answerPart(
  reply: Reply | Page | Download | Content,
  headers: Readonly<Record<string, string>>,
  text: string | undefined,
): HttpPart {
  if ('path' in reply)
    return { headers, body: `(${headers['content-type'] ?? 'a file'})`, bytes: reply.size };
  const bytes = Number(headers['content-length'] ?? 0);
  // Pages hold what their forms send back, and files are for who asked.
  if ('html' in reply) return { headers, body: '(text/html)', bytes };
  if ('content' in reply) return { headers, body: `(${reply.type})`, bytes };
  return text === undefined ? { headers, bytes } : { headers, body: keptText(text), bytes };
}

/** A body that was read; one that is too deep to be written again is refused in its own time, and not by this. */
function writtenBody(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch {
    return '(JSON, too deep to be written)';
  }
  return keptText(text);
}

function keptText(text: string): string {
  return text.length > MOST_KEPT ? `(JSON, ${text.length} characters)` : textWithoutSecrets(text);
}

/** Headers of nearly every exchange, which hold the same again and again: to look at each anew costs more than the rest of an entry. */
const USUAL: ReadonlyMap<string, string> = new Map(
  [
    'Accept',
    'Cache-Control',
    'Connection',
    'Content-Length',
    'Content-Type',
    'Date',
    'Host',
    'Pragma',
    'User-Agent',
    'Vary',
    'Via',
    'X-Content-Type-Options',
    'X-RateLimit-Bucket',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-RateLimit-Reset-After',
  ].flatMap((name) => [
    [name, name.toLowerCase()],
    [name.toLowerCase(), name.toLowerCase()],
  ]),
);

function headersOf(
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
  usualOf: (name: string, value: string) => string,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    const usual = USUAL.get(name);
    const lower = usual ?? name.toLowerCase();
    const text = String(value);
    kept[lower] = usual === undefined ? headerWithoutSecrets(name, text) : usualOf(usual, text);
  }
  return kept;
}
