import type { IncomingMessage } from 'node:http';

/**
 * Whether a request is for a WebSocket of the gateway: at the gateway's path or, from a client that knows only the
 * host, at the root.
 */
export function isForGateway({ headers, url = '' }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && /^\/(?:gateway\/?)?(?:\?|$)/.test(url);
}

/**
 * Serializes a request without its upgrade headers, followed by the bytes that came after it. Some clients first try an
 * upgrade such as h2c. A server without that protocol replies as if no upgrade was requested (RFC 9110 section 7.8).
 */
export function withoutUpgrade(
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  head: Buffer,
): Buffer {
  const lines: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (/^(?:upgrade|connection|http2-settings)$/i.test(name)) continue;
    lines.push(`${name}: ${rawHeaders[at + 1]}\r\n`);
  }
  const text = `${method} ${url} HTTP/${httpVersion}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(text, 'latin1'), head]);
}
