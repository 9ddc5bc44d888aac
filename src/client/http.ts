import { parseUrl } from '../base/url.ts';
import { isTooDeep } from './depth.ts';
import { MAX_TIMER_MS } from './limit.ts';

/** Maximum size of an answer of a token endpoint, in bytes; other requests may allow more. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Maximum length of an error's `body`, in characters. */
const MAX_EXCERPT_LENGTH = 8 * 1024;
/** Members of a request that are not secret. */
const PUBLIC = /_type$|_id$|_uri$/;
/** Names of this machine, to which a secret may be sent unencrypted. */
export const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The service's HTTP API, and its timeout. */
export interface ApiOptions {
  /** Base address such as `https://host.example/api`; plain http only on this machine. */
  readonly api: string;
  /** Milliseconds for the whole exchange. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The service answered with an error, or with an invalid answer. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /**
   * `error` of an OAuth 2.0 answer such as `invalid_grant`, or `code` of any other answer as text; '' where there is
   * neither.
   */
  readonly code: string;
  /** Seconds to wait before the next request; 0 where the service sends none. */
  readonly retryAfter: number;
  /** The first 8,192 characters of the answer, without secrets of the request; '' where there is no answer. */
  readonly body: string;

  constructor(status: number, code: string, message: string, retryAfter = 0, body = '') {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

/** A request to the API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base address, with its query. */
  readonly path: string;
  /** A form, or JSON. */
  readonly body?: URLSearchParams | object | undefined;
  /** Presented as `Bearer`. */
  readonly token?: string | undefined;
  /** Texts, besides the token, that are removed from error answers. */
  readonly secrets?: readonly string[];
  /** Maximum size of the answer, in bytes. Default 64 KiB. */
  readonly maxBytes?: number;
}

/**
 * Posts a form (URLSearchParams) or JSON and resolves with the JSON answer. Rejects with ApiError, with a TypeError for
 * a forbidden address or a network failure, or with the signal's reason. No error contains a secret: the values of
 * `body` are removed from the service's answer.
 */
export async function post(
  options: ApiOptions,
  path: string,
  body: URLSearchParams | Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const members = body instanceof URLSearchParams ? [...body] : Object.entries(body);
  const secrets = members.flatMap(([key, value]) => (PUBLIC.test(key) ? [] : value));
  return asObject(await callApi(options, { method: 'POST', path, body, secrets }));
}

/** Sends a request and resolves with its JSON answer; undefined for an empty answer. Rejects as {@link post} does. */
export async function callApi(
  { api, timeoutMs = 30_000, signal }: ApiOptions,
  { method, path, body, token, secrets = [], maxBytes = MAX_ANSWER_BYTES }: ApiRequest,
): Promise<unknown> {
  const address = addressOf(api, path);
  // The headers are created here, so that a token that is no valid header value is not reported as a network failure.
  const headers = new Headers({
    ...(body === undefined ? {} : { 'content-type': typeOf(body) }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  });
  // Neither `AbortSignal.timeout` nor `AbortSignal.any`: Node 20 may collect their listeners while the body is being
  // read. It may also collect those of fetch, so the abort is raced against the work, and this function cancels the
  // body itself.
  const ending = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason));
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, timeoutMs);
  const leave = (): void => ending.abort(signal?.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  const answered = exchange(address, maxBytes, {
    method,
    headers,
    ...(body === undefined
      ? {}
      : { body: body instanceof URLSearchParams ? body.toString() : JSON.stringify(body) }),
    // A redirect would send code, token and secret to another host.
    redirect: 'error',
    signal: ending.signal,
  });
  const { ok, status, text, wait } = await Promise.race([answered, ended])
    .finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    })
    .catch((error) => {
      const where = `${address.origin}${address.pathname}`;
      if (signal?.aborted) throw error;
      if (isLate) throw new DOMException(`${where}: no answer within ${timeoutMs} ms`, 'TimeoutError');
      if (!(error instanceof TypeError)) throw error;
      // Node's message is "fetch failed", and `cause` has the reason; an error of a browser has no `cause`.
      const { cause = error }: { cause?: unknown } = error;
      const { code, message } = cause as NodeJS.ErrnoException;
      throw new TypeError(`${where}: ${code ?? message}`, { cause });
    });
  const answer = parse(text);
  if (ok) return answer;
  const {
    error,
    error_description: description,
    code,
    message,
    retry_after: retryAfterField,
  } = asObject(answer);
  const hidden = token === undefined ? secrets : [...secrets, token];
  const detail = without(asText(description ?? message), hidden);
  const name = without(asText(error ?? code), hidden);
  const retryAfter = secondsOf(retryAfterField) ?? secondsOf(wait) ?? 0;
  const wrong = firstFault(asObject(answer)['errors']);
  const where =
    status === 404 && (name === '' || name === '0') ? ` at ${address.origin}${address.pathname}` : '';
  const explained = `HTTP ${status} ${name} ${detail}${without(wrong, hidden)}${where}`.trim();
  const excerpt = hide(text, hidden).slice(0, MAX_EXCERPT_LENGTH);
  throw new ApiError(status, name, explained, retryAfter, excerpt);
}

/** Seconds to wait, from a body or the header Retry-After; undefined for any other value. */
function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const isTime = typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds);
  return isTime ? Math.min(seconds, MAX_TIMER_MS / 1000) : undefined;
}

/**
 * Text of the first error in a form answer, as the platform wrote it, prefixed with its field; '' where there is no
 * error.
 */
function firstFault(errors: unknown): string {
  const path: string[] = [];
  let at = errors;
  while (typeof at === 'object' && at !== null) {
    const { _errors: found } = at as { readonly _errors?: unknown };
    const [fault] = Array.isArray(found) ? (found as unknown[]) : [];
    if (fault !== undefined) return `: ${path.join('.')}: ${asText(asObject(fault)['message'])}`;
    const [entry] = Object.entries(at);
    if (entry === undefined) return '';
    path.push(entry[0]);
    [, at] = entry;
  }
  return '';
}

function typeOf(body: object): string {
  return body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json';
}

interface Exchanged {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
  /** The header Retry-After. */
  readonly wait: string | null;
}

async function exchange(
  address: URL,
  maxBytes: number,
  request: RequestInit & { readonly signal: AbortSignal },
): Promise<Exchanged> {
  const response = await fetch(address, request);
  return {
    ok: response.ok,
    status: response.status,
    wait: response.headers.get('retry-after'),
    text: await readText(response, maxBytes, request.signal),
  };
}

/** Address of an API path. Throws a TypeError for an address to which no secret may be sent. */
export function addressOf(api: string, path: string): URL {
  const address = parseUrl(api) && new URL(`${api.replace(/\/+$/, '')}${path}`);
  const safe =
    address?.protocol === 'https:' || (address?.protocol === 'http:' && LOOPBACK.test(address.hostname));
  // A password in the address would appear in every error that names the address.
  if (address && safe && !address.username && !address.password) return address;
  throw new TypeError('api: must be an https address, or http on this machine, without a user name');
}

async function readText({ body }: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Some browsers cannot iterate over a body.
  const reader = body?.getReader();
  const leave = (): void => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', leave);
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      leave();
      throw new ApiError(0, '', `The answer exceeds ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    // The parser's own message quotes the body, which may contain a token.
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function without(text: string, secrets: readonly string[]): string {
  return hide(text, secrets).replace(/\p{C}/gu, '?').slice(0, 300);
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 7)
    .flatMap(formsOf)
    .reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
}

/** Returns a text both plain and form-encoded, because an answer may repeat either form. */
export function formsOf(text: string): readonly string[] {
  return [text, new URLSearchParams([['', text]]).toString().slice(1)];
}
