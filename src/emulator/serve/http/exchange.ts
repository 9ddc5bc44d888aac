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

/** Maximum length of a recorded body in characters; of a longer one only the length is recorded. */
const MOST_KEPT = 64 * 1024;

/** A file of a request, as recorded. */
interface CameWith {
  readonly name: string;
  readonly bytes: { readonly length: number };
}

/** Caches redacted values of common request headers: a client sends the same each time. */
export class SeenHeaders {
  readonly #last = new Map<string, { readonly value: string; readonly shown: string }>();

  /** The value without secrets. */
  shown(name: string, value: string): string {
    const last = this.#last.get(name);
    if (last?.value === value) return last.shown;
    const shown = headerWithoutSecrets(name, value);
    this.#last.set(name, { value, shown });
    return shown;
  }
}

/** One request with its reply, to be recorded in the journal. */
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

  /** Records the body of the request once it has been read. */
  asked(value: unknown, files: readonly CameWith[]): void {
    if (value === undefined && files.length === 0) return;
    const texts = [
      ...(value === undefined ? [] : [writtenBody(value)]),
      ...files.map(({ name, bytes }) => `(file ${wordsWithoutSecrets(name)}, ${bytes.length} bytes)`),
    ];
    this.#asked = texts.join('\n');
  }

  /** Records the request and its reply, with its text and headers. */
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

  /** Records a fault that affects the request. */
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
  // Pages contain secrets that their forms send back, and files are for the requester alone.
  if ('html' in reply) return { headers, body: '(text/html)', bytes };
  if ('content' in reply) return { headers, body: `(${reply.type})`, bytes };
  return text === undefined ? { headers, bytes } : { headers, body: keptText(text), bytes };
}

/** The text of a parsed body; a body that is too deep for JSON is refused later, not by this. */
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

/**
 * Headers of nearly every exchange, with recurring values: redacting each anew would cost more than the rest of an entry.
 */
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
