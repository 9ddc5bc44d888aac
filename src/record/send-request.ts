import { type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { LocalError } from '../base/local-error.ts';

/** Maximum size of an answer (bytes). */
const MAX_BYTES = 16 * 1024 * 1024;

/** Request to send. */
export interface Question {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Response of the server. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends one HTTP request and resolves with its whole answer; with undefined when the answer is late, incomplete, not
 * HTTP or too large. Does not follow redirects. Rejects with `LocalError` FOOTBRIDGE_RECORD when no server can be
 * reached.
 */
export async function sendRequest(
  address: URL,
  { method, headers, body }: Question,
  timeoutMs: number,
): Promise<Answer | undefined> {
  const send = address.protocol === 'https:' ? secureRequest : request;
  return new Promise((resolve, reject) => {
    let isReached = false;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = send(address, { method, headers: { ...headers, ...length }, agent: false });
    const end = (answer: Answer | undefined): void => {
      clearTimeout(timer);
      outgoing.destroy();
      resolve(answer);
    };
    const timer = setTimeout(end, timeoutMs, undefined);
    outgoing.once('socket', (socket) => {
      socket.once(address.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        isReached = true;
      });
    });
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      if (isReached) resolve(undefined);
      else reject(unreachable(address, error));
    });
    outgoing.once('response', (response) => readText(response, end));
    outgoing.end(body);
  });
}

function readText(response: IncomingMessage, end: (answer: Answer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('error', () => end(undefined));
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) return end(undefined);
    chunks.push(chunk);
  });
  response.on('end', () => {
    end({ status: response.statusCode ?? 0, text: new TextDecoder().decode(Buffer.concat(chunks)) });
  });
}

function unreachable({ origin }: URL, cause: Error): LocalError {
  const remedy = 'Start the server first, or name the address of its HTTP API with --api.';
  return new LocalError('FOOTBRIDGE_RECORD', `${origin}: ${systemErrorText(cause)}. ${remedy}`, { cause });
}
