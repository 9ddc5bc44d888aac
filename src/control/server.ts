import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AdminCaller } from '../core/core.ts';
import { dropBody, readBody } from '../loopback/body.ts';
import { BoundedHttpServer } from '../loopback/bounded-http-server.ts';
import { limitConnections, withoutNodesTimes } from '../loopback/connection-limit.ts';
import { ControlError } from './control-error.ts';
import { FOR_PROCESSES, processesIn } from './for-processes.ts';
import { isHold, serveHold } from './hold.ts';
import {
  answer,
  CONTROL_HOST,
  type ControlRequest,
  type ControlSource,
  operationAt,
  sourceAt,
  textAt,
} from './routes.ts';
import { sendText, takeText } from './text.ts';

/** Maximum request body in bytes, for an operation without a limit of its own. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Maximum of concurrent connections; fewer where the limit of open files leaves less room. */
export const MAX_CALLERS = 32;
const RECEIVE_MS = 10_000;

/** Options of the control API. */
export interface ControlOptions extends ControlSource {
  /** Identifies the process at the other end. Throws to refuse the connection. */
  identify(socket: Socket): AdminCaller;
  /** Maximum of concurrent connections; default 32. */
  readonly slots?: number;
  /** A defect behind a 500 answer. */
  onDefect?(error: unknown): void;
}

/**
 * The daemon's own HTTP API; the caller makes it listen on a private socket. Requests come from this user and are
 * small, but they are not trusted blindly: browsers, DNS rebinding and endless bodies are refused.
 */
export function controlServer(options: ControlOptions): BoundedHttpServer {
  const { slots = MAX_CALLERS } = options;
  return new BoundedHttpServer(() => {
    const server = createServer(
      { ...withoutNodesTimes, maxHeaderSize: 8192, keepAliveTimeout: 1000 },
      (request, response) => {
        void serve(options, request, response, (socket) => limit.release(socket));
      },
    );
    const limit = limitConnections(server, { slots, receiveMs: RECEIVE_MS });
    return server;
  });
}

async function serve(
  options: ControlOptions,
  request: IncomingMessage,
  response: ServerResponse,
  release: (socket: Socket) => void,
): Promise<void> {
  try {
    refuseBrowsers(request);
    const caller = withProcesses(identify(options, request.socket), request);
    const { source, path } = sourceAt(options, (request.url ?? '/').replace(/\?.*$/s, ''));
    const text = textAt(source.operations, request.method ?? '', path);
    if (text !== undefined) {
      // A text has no timeout as a whole; `text.ts` limits the silence between its parts.
      release(request.socket);
      response.setHeader('connection', 'close');
      if ('outputs' in text) return await sendText(text.outputs, response);
      return reply(response, 200, await takeText(text.takes, request));
    }
    if (isHold(path)) {
      const body = await bodyOf(request, MAX_BODY_BYTES);
      const call = { method: request.method ?? '', path, body, caller };
      return await serveHold(source, call, { request, response }, () => release(request.socket));
    }
    const body = await bodyOf(request, operationAt(source.operations, path)?.maxBytes ?? MAX_BODY_BYTES);
    const call: ControlRequest = { method: request.method ?? '', path, body, caller };
    reply(response, 200, await answer(source, call));
  } catch (error) {
    const known = error instanceof ControlError ? error : undefined;
    if (known === undefined || known.status === 500) options.onDefect?.(known?.cause ?? error);
    const { status, code, message } =
      known ?? new ControlError(500, 'FOOTBRIDGE_INTERNAL', 'The request failed');
    // The rest of the body is read first: a peer that still writes would find the connection closed, and could not read
    // the refusal.
    await dropBody(request);
    if (!request.complete) response.setHeader('connection', 'close');
    reply(response, status, { code, message });
  }
}

/**
 * Refuses requests of browsers. No browser can open a unix socket, but a proxy in front of the socket can be tricked
 * into forwarding a browser's request.
 */
function refuseBrowsers({ headers }: IncomingMessage): void {
  if (headers.origin !== undefined || headers.referer !== undefined) {
    throw new ControlError(403, 'FOOTBRIDGE_FORBIDDEN', 'Requests with an Origin or a Referer are refused');
  }
  if (headers.host !== CONTROL_HOST) {
    throw new ControlError(403, 'FOOTBRIDGE_FORBIDDEN', `The Host must be ${CONTROL_HOST}`);
  }
}

function identify(options: ControlOptions, socket: Socket): AdminCaller {
  try {
    return options.identify(socket);
  } catch (error) {
    throw new ControlError(403, 'FOOTBRIDGE_FORBIDDEN', 'The system does not say who is calling', error);
  }
}

/**
 * Adds the processes of the header to the caller. A caller may name processes that must be allowed as well, which can
 * only restrict the caller.
 */
function withProcesses(caller: AdminCaller, { headers }: IncomingMessage): AdminCaller {
  const header = headers[FOR_PROCESSES];
  return header === undefined ? caller : { ...caller, forProcesses: processesIn(String(header)) };
}

async function bodyOf(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const body = await readBody(request, limit);
  if (body === 'too-large') {
    const message = `The body may have at most ${limit} bytes`;
    throw new ControlError(413, 'FOOTBRIDGE_TOO_LARGE', message);
  }
  if (body === 'gone') throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', 'The body is incomplete');
  return body;
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  const body = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    'cache-control': 'no-store',
  });
  response.end(body);
}
