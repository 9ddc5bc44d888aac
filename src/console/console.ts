import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Native, NativeAbsence } from '../../platform/native/native.ts';
import { tcpPeerLookup } from '../../platform/tcp/tcp-owner.ts';
import { type TcpProcessLookup, tcpProcessLookup } from '../../platform/tcp/tcp-processes.ts';
import { LocalError } from '../base/local-error.ts';
import { LOOPBACK } from '../loopback/host.ts';
import { listenOnLoopback } from '../loopback/listener.ts';
import { type OwnerCheck, ownerCheck } from '../loopback/owner.ts';
import { refuse } from '../loopback/raw-answer.ts';
import { send, sendJson } from './answer.ts';
import type { ConsoleBackend, ForProcesses } from './backend.ts';
import { builtFile } from './built-file.ts';
import { answerCall } from './calls.ts';
import { streamEvents } from './events.ts';
import { admit, cookieName, ENTRY } from './gate.ts';
import { answerMedia } from './media.ts';
import { pageFile } from './page-files.ts';
import { type ConsoleSecrets, consoleSecrets } from './secrets.ts';
import { ENTERED, POLICY, STRANGER, USED } from './texts.ts';

/** Options of a console. */
export interface ConsoleOptions {
  /** User whose processes may connect, on systems that know a connection's owner. */
  readonly uid: number | undefined;
  /** Loaded native calls; if absent, they are loaded for the first connection. */
  readonly native?: Native | NativeAbsence;
  /**
   * For tests: owner check and processes of a connection, clock of the secrets (ms), time limit for a request (ms), and
   * the files of the page.
   */
  readonly checkOwner?: OwnerCheck;
  readonly processesOf?: TcpProcessLookup;
  readonly now?: () => number;
  readonly receiveMs?: number;
  readonly readFile?: (name: string) => Uint8Array;
}

/** Listening console. */
export interface Console {
  readonly port: number;
  /**
   * Issues a one-time address of the console, valid for ten minutes. Actions there also need the rights of
   * `requesters`: the process that requested the address, and the processes that started it. `requesters` is empty for
   * the process that serves the console, which is checked as the caller.
   */
  address(requesters?: readonly number[]): string;
  /** Ends every connection. */
  close(): void;
}

/** Maximum of connections with an incomplete request, and time limit for receiving a request (ms). */
const MAX_PENDING = 64;
const RECEIVE_MS = 10_000;
/** Status of every refusal; a constant status reveals nothing. */
const REFUSAL = 403;
/** Maximum of pages that follow the bridge: each page takes one of the few slots of the bridge's control socket. */
const MAX_STREAMS = 8;

/**
 * Serves the console's page on the loopback, for browsers that have opened an address of `address()`. Every other
 * request gets a constant refusal. Throws `LocalError` FOOTBRIDGE_CONSOLE when no port is free.
 */
export async function serveConsole(backend: ConsoleBackend, options: ConsoleOptions): Promise<Console> {
  const { uid, native, now } = options;
  const peerOf = tcpPeerLookup(native === undefined ? {} : { native });
  const { checkOwner = ownerCheck(uid, peerOf), processesOf = tcpProcessLookup({ peerOf }) } = options;
  const { readFile = builtFile, receiveMs = RECEIVE_MS } = options;
  const over = new AbortController();
  const secrets = consoleSecrets(now);
  const streams = new Set<ServerResponse>();
  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    const admission = admit(request, listener.port, (secret) => secrets.session(secret));
    if (admission.kind === 'refused') return refuse(socket, REFUSAL);
    listener.beginAnswer(socket);
    if (admission.kind === 'stranger') return send(response, 403, HTML, STRANGER, POLICY);
    if (admission.kind === 'entering') return enter(secrets, admission.secret, listener.port, response);
    const { path, query, requesters } = admission;
    const file = request.method === 'GET' ? pageFile(path, readFile) : undefined;
    if (file !== undefined) return send(response, 200, file.type, file.body);
    if (path === '/media' && request.method === 'GET') return answerMedia(backend, response, query);
    if (path !== '/events' || request.method !== 'GET') {
      const forProcesses = async (): Promise<ForProcesses> =>
        processesToCheck(await processesOf(socket), requesters);
      return answerCall(backend, { request, response, path, forProcesses });
    }
    if (streams.size >= MAX_STREAMS) {
      const message = `At most ${MAX_STREAMS} pages follow the bridge at a time. Close one of them.`;
      return sendJson(response, 503, { code: 'FOOTBRIDGE_CONSOLE', message });
    }
    streams.add(response);
    response.once('close', () => streams.delete(response));
    listener.admit(socket);
    await streamEvents(backend, response, entryAfter(request, query), over.signal);
  };
  const listening = await listenOnLoopback({
    ports: { first: 0, last: 0 },
    receiveMs,
    pending: MAX_PENDING,
    refusedOwner: checkOwner,
    refusal: REFUSAL,
    onUpgrade: (_request, socket) => refuse(socket, REFUSAL),
    onRequest(request, response) {
      onRequest(request, response).catch(() => {
        // Any other error is a defect, of which the page gets no details.
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { code: 'FOOTBRIDGE_INTERNAL', message: 'The request failed' });
      });
    },
  });
  if (listening.kind === 'no port')
    throw new LocalError('FOOTBRIDGE_CONSOLE', 'The console found no free port on 127.0.0.1.', {
      cause: listening.error,
    });
  const listener = listening;
  return {
    port: listener.port,
    address: (requesters = []) =>
      `http://${LOOPBACK}:${listener.port}${ENTRY}?key=${secrets.issue(requesters)}`,
    close() {
      over.abort();
      for (const stream of streams) stream.destroy();
      listener.close();
    },
  };
}

/**
 * Returns the processes to check. Where the system cannot know the processes of a connection, only the requesters are
 * checked; where the system fails to name them, no process is trusted.
 */
function processesToCheck(
  found: Awaited<ReturnType<TcpProcessLookup>>,
  requesters: readonly number[],
): ForProcesses {
  if (found.kind === 'known') return [...new Set([...found.pids, ...requesters])];
  if (found.kind === 'unknown') return 'unknown';
  return requesters.length === 0 ? undefined : requesters;
}

const HTML = 'text/html; charset=utf-8';

function enter(secrets: ConsoleSecrets, once: string, port: number, response: ServerResponse): void {
  const session = secrets.exchange(once);
  if (session === undefined) return send(response, 403, HTML, USED, POLICY);
  const cookie = `${cookieName(port)}=${session}; HttpOnly; SameSite=Strict; Path=/`;
  send(response, 200, HTML, ENTERED, { ...POLICY, 'set-cookie': cookie });
}

/**
 * Position after which entries are sent: the position that a reconnecting browser sends takes precedence over the
 * page's first request.
 */
function entryAfter({ headers }: IncomingMessage, query: string): number | undefined {
  const lastEventId = headers['last-event-id'] ?? /^after=(\d{1,15})$/.exec(query)?.[1];
  return typeof lastEventId === 'string' && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}
