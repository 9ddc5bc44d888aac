import type { IncomingMessage } from 'node:http';
import type { HttpPart } from '../../../journal/entry.ts';
import { headersWithoutSecrets } from '../../../journal/headers.ts';
import type { Journal } from '../../../journal/journal.ts';
import { proseWithoutSecrets } from '../../../journal/without-secrets.ts';
import type { EncodedList } from '../../api/encoded-list.ts';
import type { Answer, Operation } from '../../api/operation.ts';
import { answerText, requestAddress, requestText } from './exchange-text.ts';
import { fieldOf, type HeaderFields, namedFields } from './header-fields.ts';

/** Maximum length of a recorded body in characters. Only the length of a longer body is recorded. */
const MAX_STORED_CHARACTERS = 64 * 1024;

/** A file of a request, with the properties that are recorded. */
interface CameWith {
  readonly name: string;
  readonly bytes: { readonly length: number };
}

/** Path segments that operations declare; empty until the routes are loaded. */
const NO_LITERALS: ReadonlySet<string> = new Set();

/** One request and its reply for the journal, which removes their secrets when they are read. */
export class Exchange {
  readonly #journal: Journal;
  readonly #request: IncomingMessage;
  readonly #began = performance.now();
  #operation: Operation | undefined;
  #literals = NO_LITERALS;
  #body: string | undefined;
  #files: readonly CameWith[] = [];

  constructor(journal: Journal, request: IncomingMessage) {
    this.#journal = journal;
    this.#request = request;
  }

  /** Records the operation of the request, and the path segments that operations declare. */
  found(operation: Operation | undefined, literals: ReadonlySet<string>): void {
    this.#operation = operation;
    this.#literals = literals;
  }

  /** Records the body of the request once it has been read. */
  received(value: unknown, files: readonly CameWith[]): void {
    if (value !== undefined) this.#body = writtenBody(value);
    this.#files = files.map(({ name, bytes }) => ({ name, bytes: { length: bytes.length } }));
  }

  /** Records the request and its reply, with the text and the header fields of the reply. */
  answered(reply: Answer, fields: HeaderFields, text: string | EncodedList | undefined): void {
    const { method = '', url = '', headers: requestHeaders } = this.#request;
    const ms = performance.now() - this.#began;
    const { status } = reply;
    const [operation, literals, body, files] = [this.#operation, this.#literals, this.#body, this.#files];
    const kind = mediaOf(reply, fields);
    const visibleText = (): string =>
      kind ?? boundedText(text ?? '', (one) => answerText(one, operation, status));
    const bytes =
      url.length + (body?.length ?? 0) + (text?.length ?? 0) + sizeOf(requestHeaders) + sizeOfFields(fields);
    this.#journal.addUnread({
      kind: 'http',
      bytes,
      render: () => ({
        kind: 'http',
        method,
        path: requestAddress(url, operation, literals),
        status,
        ms,
        request: requestPart({ operation, headers: requestHeaders, body, files }),
        response: {
          headers: headersWithoutSecrets(namedFields(fields)),
          ...(kind === undefined && text === undefined ? {} : { body: visibleText() }),
          bytes: Number(fieldOf(fields, 'Content-Length') ?? 0),
        },
      }),
    });
  }

  /** Records a fault that affects the request. */
  struck(fault: string, what: string): void {
    const { method = '', url = '' } = this.#request;
    const path = requestAddress(url, this.#operation, this.#literals);
    this.#journal.add({ kind: 'fault', fault, what: `${what}: ${method} ${path}` });
  }
}

function requestPart({
  operation,
  headers,
  body,
  files,
}: {
  readonly operation: Operation | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string | undefined;
  readonly files: readonly CameWith[];
}): HttpPart {
  const texts = [
    ...(body === undefined ? [] : [boundedText(body, (text) => requestText(text, operation))]),
    ...files.map(({ name, bytes }) => `(file ${proseWithoutSecrets(name)}, ${bytes.length} bytes)`),
  ];
  return {
    headers: headersWithoutSecrets(headers),
    ...(texts.length === 0 ? {} : { body: texts.join('\n') }),
    bytes: Number(headers['content-length'] ?? 0),
  };
}

/**
 * Placeholder for a body that is not JSON. Pages contain secrets that their forms send back, and files are only for the
 * requester.
 */
function mediaOf(reply: Answer, fields: HeaderFields): string | undefined {
  if ('path' in reply) return `(${String(fieldOf(fields, 'Content-Type') ?? 'a file')})`;
  if ('html' in reply) return '(text/html)';
  return 'content' in reply ? `(${reply.type})` : undefined;
}

/**
 * The text of a parsed body. Another check refuses a body that is too deep for JSON, so this function only returns a
 * placeholder.
 */
function writtenBody(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return TOO_DEEP;
  }
}

const TOO_DEEP = '(JSON, too deep to be written)';

function boundedText(text: string | EncodedList, render: (text: string) => string): string {
  if (text === TOO_DEEP) return text;
  return text.length > MAX_STORED_CHARACTERS ? `(JSON, ${text.length} characters)` : render(text.toString());
}

/** Approximate length of headers. */
function sizeOf(headers: IncomingMessage['headers']): number {
  let size = 0;
  for (const name in headers) size += name.length + String(headers[name]).length;
  return size;
}

function sizeOfFields(fields: HeaderFields): number {
  let size = 0;
  for (const one of fields) size += one.length;
  return size;
}
