import type { ServerResponse } from 'node:http';
import type { Page, Reply } from '../api/reply.ts';

/** Sends an answer. None may be cached, and no header lets a page of another origin read it. */
export function send(response: ServerResponse, reply: Reply | Page): void {
  const { status, headers } = reply;
  const isPage = 'html' in reply;
  const text = isPage ? reply.html : reply.body === undefined ? undefined : JSON.stringify(reply.body);
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json';
  response.writeHead(status, {
    ...(text === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }),
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(text);
}
