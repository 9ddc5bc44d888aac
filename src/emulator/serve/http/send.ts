import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { slowBytes, splitBytes } from '../../../faults/pieces.ts';
import { LINGER_MS } from '../../../loopback/raw-answer.ts';
import { EncodedList } from '../../api/encoded-list.ts';
import type { Answer, Content, Download, Page, Reply } from '../../api/operation.ts';
import type { Exchange } from './exchange.ts';
import { type HeaderFields, withFields } from './header-fields.ts';

/** Reduced sending speed of a reply, caused by a fault. */
export type Pace = { readonly kind: 'slow'; readonly bytesPerSecond: number } | { readonly kind: 'split' };

interface Sending {
  /** Records the exchange. */
  readonly exchange?: Exchange | undefined;
  readonly pace?: Pace | undefined;
  /** Header fields that show the caller's limits. */
  readonly limits?: HeaderFields | undefined;
  /** CORS headers for a page of another origin. */
  readonly readable?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends a reply. Replies are never cached, and a page of another origin may read them only if `readable` permits that.
 * When the client has not finished its request, the reply is sent at once and the connection ends after it. `now` is
 * the emulator's time, which clients compare with their own clock.
 */
export function send(response: ServerResponse, reply: Answer, now: number, sending: Sending = {}): void {
  if ('path' in reply) return sendFile(response, reply, now, sending);
  const { exchange, readable, pace, limits = [] } = sending;
  const { status, headers } = reply;
  const text = textOf(reply);
  const fields: (string | string[])[] =
    text === undefined
      ? []
      : ['Content-Type', typeOf(reply), 'Content-Length', String(Buffer.byteLength(text))];
  fields.push('Date', httpDate(now), ...NOT_KEPT, 'Pragma', 'no-cache', ...limits);
  if (!response.req.complete) fields.push('Connection', 'close');
  const sent = withFields(withFields(fields, headers), readable);
  response.writeHead(status, sent as string[]);
  if (pace !== undefined && text !== undefined) void sendPaced(response, [Buffer.from(text)], pace);
  else if (text === undefined || response.req.complete) response.end(text);
  else {
    response.write(text);
    afterRequest(response.req, () => response.end());
  }
  // The exchange is recorded after the reply was sent, so that recording causes no delay.
  const written = 'body' in reply && reply.body instanceof EncodedList ? reply.body : text;
  exchange?.answered(reply, sent, Buffer.isBuffer(written) ? undefined : written);
}

/** Sends a body in pieces. Stops when the peer disconnects or the file is missing. */
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

/** Fields that forbid to keep a reply, and to guess its type. */
const NOT_KEPT = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];

function typeOf(reply: Reply | Page | Content): string {
  if ('content' in reply) return reply.type;
  return 'html' in reply ? 'text/html; charset=utf-8' : 'application/json';
}

function textOf(reply: Reply | Page | Content): string | Buffer | undefined {
  if ('content' in reply) return reply.content;
  if ('html' in reply) return reply.html;
  const { body } = reply;
  if (body instanceof EncodedList) return body.toString();
  return body === undefined ? undefined : JSON.stringify(body);
}

/** The last Date field, which all replies of its second have. */
let last = { second: Number.NaN, date: '' };

function httpDate(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== last.second) last = { second, date: new Date(now).toUTCString() };
  return last.date;
}

/** Streams a file. When the file is deleted meanwhile, the connection ends. */
function sendFile(
  response: ServerResponse,
  reply: Download,
  now: number,
  { exchange, readable, pace, limits = [] }: Sending,
): void {
  const { status, path, size, headers } = reply;
  const fields = ['Content-Length', String(size), 'Date', httpDate(now), ...NOT_KEPT, ...limits];
  const sent = withFields(withFields(fields, headers), readable);
  response.writeHead(status, sent as string[]);
  exchange?.answered(reply, sent, undefined);
  if (pace !== undefined) return void sendPaced(response, createReadStream(path), pace);
  pipeline(createReadStream(path), response, () => {});
}

/**
 * Calls back when the request has been received completely, or after a timeout. The end of the reply closes the
 * connection, and a client that is still sending would lose the reply because of the reset.
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
