import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../loopback/body.ts';
import { corsFor } from '../../loopback/cors.ts';
import { refuse } from '../../loopback/raw-answer.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Connection } from '../../wire/connection.ts';
import { checkRpc, type Gate } from '../gate.ts';
import type { RefusedPage } from '../refused-page.ts';
import { HttpConnection } from './http-connection.ts';

/** Dependencies of one request. */
export interface RpcContext {
  readonly gate: Gate;
  /** Maximum size of a body, in bytes. */
  readonly bodyBytes: number;
  /** Takes a slot for a page of this origin; returns false when there is none. */
  takeSlot(origin: string): boolean;
  /** Counts the connection as an app's; returns false when there are too many. */
  admit(): boolean;
  onConnection(connection: Connection): void;
  /** Called when a page is refused. */
  onRefusedPage(page: RefusedPage): void;
}

/**
 * Serves `POST /rpc` and its preflight for an allowed Origin. It reads one payload and sends the answer with 200, or
 * `{code, message}` with 400 when no session could answer. Any other request gets the constant 404.
 */
export async function serveRpc(
  request: IncomingMessage,
  response: ServerResponse,
  context: RpcContext,
): Promise<void> {
  const admission = checkRpc(request, context.gate);
  if (admission.kind === 'refused') context.onRefusedPage(admission.page);
  if (admission.kind !== 'open' || !context.takeSlot(admission.origin)) {
    request.resume();
    return refuse(request.socket, 404);
  }
  const { origin, handshake } = admission;
  const answer = (status: 200 | 400, body: Uint8Array): void => send(response, origin, status, body);
  const reject = (message: string): void => {
    answer(400, new TextEncoder().encode(JSON.stringify({ code: CloseCode.UNSUPPORTED, message })));
  };

  if (request.method === 'OPTIONS') return allow(response, origin);
  if (!isJson(request.headers['content-type'])) return reject('Content-Type must be application/json');
  if (request.headers.expect !== undefined) response.writeContinue();
  const body = await readBody(request, context.bodyBytes);
  if (body === 'gone') return;
  if (body === 'too-large') return reject(`The body exceeds ${context.bodyBytes} bytes`);
  if (!context.admit()) return refuse(request.socket, 404);

  const connection = new HttpConnection({
    origin,
    handshake,
    request: { opcode: Opcode.FRAME, body },
    answer,
    drop: () => request.socket.destroy(),
  });
  response.on('close', () => connection.peerClosed());
  context.onConnection(connection);
}

/** Whether a content type is `application/json` or has the suffix `+json`, with or without parameters. */
function isJson(contentType = ''): boolean {
  return /^application\/(?:[a-z\d!#$&^_.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

function send(response: ServerResponse, origin: string, status: number, body: Uint8Array): void {
  response.sendDate = false;
  response.writeHead(status, {
    ...corsFor(origin),
    'content-type': 'application/json',
    'content-length': body.byteLength,
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(body);
}

function allow(response: ServerResponse, origin: string): void {
  response.sendDate = false;
  response.writeHead(200, {
    ...corsFor(origin),
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'content-length': 0,
    connection: 'close',
  });
  response.end();
}
