import type { ServerResponse } from 'node:http';

/**
 * Headers of every answer: scripts, styles and images only from our own files, nothing inline, no frame around the
 * page, no form, no text that becomes markup, no storage in a cache, no referrer.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  connection: 'close',
} as const;

/** Sends an answer with a complete body. */
export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): void {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  response.writeHead(status, {
    ...HEADERS,
    'content-type': type,
    'content-length': bytes.byteLength,
    ...more,
  });
  response.end(bytes);
}

/** Sends JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  more: Readonly<Record<string, string>> = {},
): void {
  send(response, status, 'application/json', `${JSON.stringify(value)}\n`, more);
}

/** Starts a stream of server-sent events. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
  response.flushHeaders();
}
