import type { ServerResponse } from 'node:http';

/** What an operation answers: a status, a JSON body (none where it is undefined) and further headers. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** 200 with a body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 204. */
export function noContent(): Reply {
  return { status: 204, body: undefined };
}

/** Sends a reply. No answer may be cached, and no header lets a page of another origin read it. */
export function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const text = body === undefined ? undefined : JSON.stringify(body);
  response.writeHead(status, {
    ...(text === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(text);
}
