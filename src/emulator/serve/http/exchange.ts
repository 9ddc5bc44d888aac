import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { HttpPart, Passed } from '../../../journal/entry.ts';
import { headersWithoutSecrets } from '../../../journal/headers.ts';
import type { Journal, Unread } from '../../../journal/journal.ts';
import { BY_HAND_HEADER, type Original } from '../../../journal/original.ts';
import { proseWithoutSecrets } from '../../../journal/without-secrets.ts';
import type { EncodedList } from '../../api/encoded-list.ts';
import type { Answer, Operation } from '../../api/operation.ts';
import { clientIdOfBotToken } from '../../applications/bot.ts';
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
const NO_FILES: readonly CameWith[] = [];

type HttpEntry = Extract<Passed, { kind: 'http' }>;

/** A reply, with its time (ms) and its text or, of a body that is not recorded, its media type. */
interface Replied extends Pick<HttpEntry, 'status' | 'ms'> {
  readonly media: string | undefined;
  readonly fields: HeaderFields;
  readonly text: string | EncodedList | undefined;
}

/** Stands for the reply until there is one. */
const NOT_YET: Replied = { status: 0, ms: 0, media: undefined, fields: [], text: undefined };

/**
 * The header fields of each connection's last request. Most connections repeat them, and the entries of a busy bridge
 * would otherwise live just long enough for the garbage collector to copy each of them.
 */
export class RepeatedHeaders {
  readonly #last = new WeakMap<object, IncomingHttpHeaders>();

  /** The fields of a request, as the same object as before if they are the same. */
  of({ socket, headers }: IncomingMessage): IncomingHttpHeaders {
    const last = this.#last.get(socket);
    if (last !== undefined && isSame(last, headers)) return last;
    this.#last.set(socket, headers);
    return headers;
  }
}

/** One request and its reply for the journal, which calls {@link Exchange.render} when the entry is read. */
export class Exchange implements Unread {
  readonly kind = 'http';
  bytes = 0;
  readonly #journal: Journal;
  readonly #method: string;
  readonly #url: string;
  readonly #headers: IncomingHttpHeaders;
  readonly #began = performance.now();
  #operation: Operation | undefined;
  #literals = NO_LITERALS;
  #body: string | undefined;
  #files = NO_FILES;
  #replied = NOT_YET;
  #application: string | undefined;
  readonly #recorded: ((seq: number) => void) | undefined;

  constructor(journal: Journal, request: IncomingMessage, headers: RepeatedHeaders) {
    this.#journal = journal;
    this.#method = request.method ?? '';
    this.#url = request.url ?? '';
    this.#headers = headers.of(request);
    const key = this.#headers[BY_HAND_HEADER];
    this.#recorded = key === undefined ? undefined : journal.byHand.of(key);
  }

  /** Records the application for which the request is served. */
  of(application: string | undefined): void {
    this.#application = application;
  }

  /** Records the operation of the request, and the path segments that operations declare. */
  found(operation: Operation | undefined, literals: ReadonlySet<string>): void {
    this.#operation = operation;
    this.#literals = literals;
  }

  /** Records the body of the request once it has been read. */
  received(value: unknown, files: readonly CameWith[]): void {
    if (value !== undefined) this.#body = writtenBody(value);
    if (files.length > 0)
      this.#files = files.map(({ name, bytes }) => ({ name, bytes: { length: bytes.length } }));
  }

  /** Records the request and its reply, with the text and the header fields of the reply. */
  answered(reply: Answer, fields: HeaderFields, text: string | EncodedList | undefined): void {
    const ms = performance.now() - this.#began;
    this.#replied = { status: reply.status, ms, media: mediaOf(reply, fields), fields, text };
    this.bytes =
      this.#url.length +
      (this.#body?.length ?? 0) +
      (text?.length ?? 0) +
      sizeOf(this.#headers) +
      sizeOfFields(fields);
    this.#journal.addUnread(this);
    this.#recorded?.(this.#journal.last);
  }

  /** The entry, without secrets. */
  render(): HttpEntry {
    const { status, ms, media, fields, text } = this.#replied;
    const operation = this.#operation;
    const application = this.#application ?? claimedApplication(this.#headers.authorization);
    const written = (): string =>
      media ?? boundedText(text ?? '', (one) => answerText(one, operation, status));
    return {
      kind: 'http',
      ...(application === undefined ? {} : { application }),
      ...(this.#recorded && { byHand: true }),
      method: this.#method,
      path: requestAddress(this.#url, operation, this.#literals),
      status,
      ms,
      request: this.#requestPart(),
      response: {
        headers: headersWithoutSecrets(namedFields(fields)),
        ...(media === undefined && text === undefined ? {} : { body: written() }),
        bytes: Number(fieldOf(fields, 'Content-Length') ?? 0),
      },
    };
  }

  /** The request as it was sent. */
  original(): Original {
    return {
      kind: 'http',
      method: this.#method,
      url: this.#url,
      body: this.#body,
      files: this.#files.length,
      authorization: this.#headers.authorization,
      access: accessOf(this.#operation),
    };
  }

  /** Records a fault that affects the request. */
  struck(fault: string, what: string): void {
    const path = requestAddress(this.#url, this.#operation, this.#literals);
    this.#journal.add({ kind: 'fault', fault, what: `${what}: ${this.#method} ${path}` });
  }

  #requestPart(): HttpPart {
    const texts = [
      ...(this.#body === undefined
        ? []
        : [boundedText(this.#body, (text) => requestText(text, this.#operation))]),
      ...this.#files.map(({ name, bytes }) => `(file ${proseWithoutSecrets(name)}, ${bytes.length} bytes)`),
    ];
    const { [BY_HAND_HEADER]: _key, ...headers } = this.#headers;
    return {
      headers: headersWithoutSecrets(headers),
      ...(texts.length === 0 ? {} : { body: texts.join('\n') }),
      bytes: Number(this.#headers['content-length'] ?? 0),
    };
  }
}

/** Who may call an operation. */
function accessOf(operation: Operation | undefined): Extract<Original, { kind: 'http' }>['access'] {
  if (operation === undefined) return 'unknown';
  if (operation.isPage) return 'person';
  if (operation.who.some(({ kind }) => kind === 'client')) return 'client';
  return operation.who.some(({ kind }) => kind === 'anybody') ? 'anybody' : 'caller';
}

/** Id in a bot token that was refused, which helps the author of the app more than no id. */
function claimedApplication(authorization = ''): string | undefined {
  return /^Bot /i.test(authorization) ? clientIdOfBotToken(authorization.slice(4)) : undefined;
}

function isSame(first: IncomingHttpHeaders, second: IncomingHttpHeaders): boolean {
  let fields = 0;
  for (const name in first) {
    if (first[name] !== second[name]) return false;
    fields += 1;
  }
  for (const _ in second) fields -= 1;
  return fields === 0;
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
function sizeOf(headers: IncomingHttpHeaders): number {
  let size = 0;
  for (const name in headers) size += name.length + String(headers[name]).length;
  return size;
}

function sizeOfFields(fields: HeaderFields): number {
  let size = 0;
  for (const one of fields) size += one.length;
  return size;
}
