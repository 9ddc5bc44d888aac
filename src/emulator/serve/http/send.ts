import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { slowBytes, splitBytes } from '../../../faults/pieces.ts';
import { LINGER_MS } from '../../../loopback/raw-answer.ts';
import type { Content, Download, Page, Reply } from '../../api/reply.ts';
import type { Exchange } from './exchange.ts';

/** How the bytes of an answer leave, where a fault says so. */
export type Pace = { readonly kind: 'slow'; readonly bytesPerSecond: number } | { readonly kind: 'split' };

interface Sending {
  /** Where it is written down. */
  readonly exchange?: Exchange | undefined;
  readonly pace?: Pace | undefined;
  /** Headers that let a page of another origin read it. */
  readonly readable?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends an answer. None may be cached, and no page of another origin may read it unless `readable` says so. Whoever has not sent the request
 * to its end gets the answer at once, and the connection ends with it. `now` is the time of the emulator, which clients hold
 * their own clock against.
 */
export function send(
  response: ServerResponse,
  reply: Reply | Page | Download | Content,
  now: number,
  { exchange, readable, pace }: Sending = {},
): void {
  if ('path' in reply) return sendFile(response, reply, now, { exchange, readable, pace });
  const { status, headers } = reply;
  const { type, text } = contentOf(reply);
  const sent = {
    ...(text === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }),
    Date: new Date(now).toUTCString(),
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...(response.req.complete ? {} : { Connection: 'close' }),
    ...headers,
    ...readable,
  };
  response.writeHead(status, sent);
  if (pace !== undefined && text !== undefined) void sendPaced(response, [Buffer.from(text)], pace);
  else if (text === undefined || response.req.complete) response.end(text);
  else {
    response.write(text);
    afterRequest(response.req, () => response.end());
  }
  // Nobody waits for it any more.
  exchange?.answered(reply, sent, typeof text === 'string' ? text : undefined);
}

/** Sends a body piece by piece. A peer that leaves, or a file that is gone, ends it. */
async function sendPaced(
  response: ServerResponse,
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  pace: Pace,
): Promise<void> {
  try {
    for await (const part of parts) {
      const { pieces, gapMs } =
        pace.kind === 'slow' ? slowBytes(part, pace.bytesPerSecond) : { pieces: splitBytes(part), gapMs: 1 };
      for (const piece of pieces) {
        if (response.destroyed) return;
        response.write(piece);
        await delay(gapMs);
      }
    }
    response.end();
  } catch {
    response.destroy();
  }
}

/** The bytes of an answer, if it has any, and what they are. */
function contentOf(reply: Reply | Page | Content): {
  readonly type: string;
  readonly text: string | Buffer | undefined;
} {
  if ('content' in reply) return { type: reply.type, text: reply.content };
  if ('html' in reply) return { type: 'text/html; charset=utf-8', text: reply.html };
  return {
    type: 'application/json',
    text: reply.body === undefined ? undefined : JSON.stringify(reply.body),
  };
}

/** Sends a file as it is read; one that is gone meanwhile ends the connection. */
function sendFile(
  response: ServerResponse,
  reply: Download,
  now: number,
  { exchange, readable, pace }: Sending,
): void {
  const { status, path, size, headers } = reply;
  const sent = {
    'Content-Length': size,
    Date: new Date(now).toUTCString(),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...readable,
  };
  response.writeHead(status, sent);
  exchange?.answered(reply, sent, undefined);
  if (pace !== undefined) return void sendPaced(response, createReadStream(path), pace);
  pipeline(createReadStream(path), response, () => {});
}

/**
 * Calls back when a request has been sent to its end, or when its peer has had the time to stop. The end of our answer ends
 * the connection, and whoever is still sending then would lose the answer to a reset.
 */
function afterRequest(request: IncomingMessage, done: () => void): void {
  const timer = setTimeout(done, LINGER_MS);
  request.once('close', () => {
    clearTimeout(timer);
    done();
  });
  request.once('end', done);
  request.resume();
}
