import { parseUrl } from '../../platform/url.ts';

/** Largest answer read from a token endpoint, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Members of a request that are no secret. */
const PUBLIC = /_type$|_id$|_uri$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The service's HTTP API, and how long to wait for it. */
export interface ApiOptions {
  /** Base address such as `https://host.example/api`; plain http only on this machine. */
  readonly api: string;
  /** Milliseconds for the whole exchange. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The service answered with an error, or with something that is no answer. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** `error` of an OAuth 2.0 answer such as `invalid_grant`, or `code` of a plain one as text; '' for neither. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Posts a form (URLSearchParams) or JSON and resolves with the JSON answer. Rejects with ApiError, with a TypeError
 * for an address that may not be used or a network failure, or with the signal's reason. No error names a secret:
 * what `body` holds is taken out of what the service says.
 */
export async function post(
  { api, timeoutMs = 30_000, signal }: ApiOptions,
  path: string,
  body: URLSearchParams | Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const address = addressOf(api, path);
  const isForm = body instanceof URLSearchParams;
  const late = AbortSignal.timeout(timeoutMs);
  const { ok, status, text } = await exchange(address, {
    method: 'POST',
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? body.toString() : JSON.stringify(body),
    // A redirect would carry code and secret to whoever it names.
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, late]) : late,
  }).catch((error) => {
    const where = `${address.origin}${address.pathname}`;
    if (signal?.aborted) throw error;
    if (late.aborted) throw new DOMException(`${where}: no answer within ${timeoutMs} ms`, 'TimeoutError');
    // Node says "fetch failed" and keeps the reason to itself.
    const { cause } = error;
    throw cause ? new TypeError(`${where}: ${cause.code ?? cause.message}`, { cause }) : error;
  });
  const answer = parse(text);
  if (ok) return answer;
  const { error, error_description: description, code, message } = answer;
  const name = asText(error ?? code);
  const secrets = (isForm ? [...body] : Object.entries(body)).flatMap(([key, value]) =>
    PUBLIC.test(key) ? [] : value,
  );
  const said = without(asText(description ?? message), secrets);
  throw new ApiError(status, without(name, secrets), `HTTP ${status} ${name} ${said}`.trim());
}

async function exchange(
  address: URL,
  request: RequestInit,
): Promise<{ readonly ok: boolean; readonly status: number; readonly text: string }> {
  const response = await fetch(address, request);
  return { ok: response.ok, status: response.status, text: await readText(response) };
}

/** Where a path of the API is. Throws a TypeError for an address to which no secret may be sent. */
export function addressOf(api: string, path: string): URL {
  const address = parseUrl(api) && new URL(`${api.replace(/\/+$/, '')}${path}`);
  const safe =
    address?.protocol === 'https:' || (address?.protocol === 'http:' && LOOPBACK.test(address.hostname));
  // A password in it would be told by every error that names the address.
  if (address && safe && !address.username && !address.password) return address;
  throw new TypeError('api: must be an https address, or http on this machine, without a user name');
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new ApiError(0, '', `The answer exceeds ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // The parser's own message quotes the text, which may hold a token.
    return {};
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function without(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce(
    (rest, secret) => (secret.length > 7 ? rest.replaceAll(secret, '[hidden]') : rest),
    text,
  );
  return hidden.replace(/\p{C}/gu, '?').slice(0, 300);
}
