import type { ServerResponse } from 'node:http';

/** What a handler answers: a status, a JSON body and extra headers. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A plain error body of the HTTP API, outside OAuth 2.0. */
export function plainError(status: number, message: string, code = 0): Reply {
  return { status, body: { message, code } };
}

/** 401 for a missing or dead bearer token. */
export function unauthorized(): Reply {
  return plainError(401, '401: Unauthorized');
}

/** 404 for anything that is not a route. */
export function notFound(): Reply {
  return plainError(404, '404: Not Found');
}

/** An OAuth 2.0 error body (RFC 6749 section 5.2). */
export function oauthError(status: number, error: string, description?: string): Reply {
  return {
    status,
    body: description === undefined ? { error } : { error, error_description: description },
  };
}

/** Sends a reply. No answer may be cached, and no header lets a page of another origin read it. */
export function send(response: ServerResponse, reply: Reply): void {
  const body = JSON.stringify(reply.body);
  response.writeHead(reply.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...reply.headers,
  });
  response.end(body);
}
