import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLocalError } from '../base/local-error.ts';
import { ControlError } from '../control/control-error.ts';
import { readBody } from '../loopback/body.ts';
import { sendJson } from './answer.ts';
import type { ConsoleBackend, ForProcesses } from './backend.ts';

/** Maximum body in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Status of a refusal, whose answer has 200: a browser writes every other one to its console as an error of the page. */
const REFUSED_HEADER = 'footbridge-refused';
const DESCRIBED = /^\/operations\/([\w.-]{1,64})$/;
const CALL = /^\/call\/([\w.-]{1,64})$/;

/** Request of the page, with a lookup of the processes at the browser's end of its connection. */
export interface PageRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly forProcesses: () => Promise<ForProcesses>;
}

/** Answers a call of the page to the bridge; a failure becomes JSON with code and message. */
export async function answerCall(backend: ConsoleBackend, pageRequest: PageRequest): Promise<void> {
  const { response } = pageRequest;
  try {
    const answer = await answerOf(backend, pageRequest);
    if (answer instanceof Refused)
      sendJson(response, 200, answer.failure, { [REFUSED_HEADER]: `${answer.status}` });
    else sendJson(response, 200, answer);
  } catch (error) {
    const { status, code, message } = failureOf(error);
    sendJson(response, status, { code, message });
  }
}

async function answerOf(
  backend: ConsoleBackend,
  { request, path, forProcesses }: PageRequest,
): Promise<unknown> {
  if (request.method === 'GET') {
    if (path === '/status') return backend.status();
    if (path === '/operations') return backend.operations();
    const described = DESCRIBED.exec(path)?.[1];
    if (described !== undefined) return backend.operation(described);
    throw new ControlError(404, 'FOOTBRIDGE_NOT_FOUND', 'The console has no such page');
  }
  const args = await argsOf(request);
  if (path === '/doctor') return backend.doctor();
  if (path === '/bugreport') return backend.bugreport();
  const name = CALL.exec(path)?.[1];
  if (name === undefined) throw new ControlError(404, 'FOOTBRIDGE_NOT_FOUND', 'The console has no such page');
  const callers = await forProcesses();
  return backend.call(name, args, callers).catch(refusedOrThrown);
}

/** An operation that the bridge refuses, which is an answer to the page. */
class Refused {
  readonly status: number;
  readonly failure: { readonly code: string; readonly message: string };

  constructor(status: number, code: string, message: string) {
    this.status = status;
    this.failure = { code, message };
  }
}

function refusedOrThrown(error: unknown): Refused {
  const { status, code, message } = failureOf(error);
  if (status >= 500) throw error;
  return new Refused(status, code, message);
}

/** An absent body means `{}`. */
async function argsOf(request: IncomingMessage): Promise<object> {
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === 'too-large')
    throw new ControlError(413, 'FOOTBRIDGE_TOO_LARGE', `The body may have at most ${MAX_BODY_BYTES} bytes`);
  if (body === 'gone') throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', 'The body is incomplete');
  if (body.byteLength === 0) return {};
  // A form of another page cannot send this content type.
  if (!/^application\/json(?:;|$)/.test(request.headers['content-type'] ?? ''))
    throw new ControlError(415, 'FOOTBRIDGE_ARGUMENTS', 'The body must be application/json');
  const value = parsed(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', 'The body must be a JSON object');
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch (error) {
    // The message omits the parser's text, which quotes the body.
    throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', 'The body is not JSON in UTF-8', error);
  }
}

/** HTTP status, code and message for a failure. */
export function failureOf(error: unknown): {
  readonly status: number;
  readonly code: string;
  readonly message: string;
} {
  if (error instanceof ControlError) return error;
  if (isLocalError(error))
    return {
      status: error.code === 'FOOTBRIDGE_NO_DAEMON' ? 503 : 502,
      code: error.code,
      message: error.message,
    };
  return { status: 500, code: 'FOOTBRIDGE_INTERNAL', message: 'The request failed' };
}
