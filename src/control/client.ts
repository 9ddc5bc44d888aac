import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { dirname, join } from 'node:path';
import { connectLocally } from '../../platform/endpoint/connect-locally.ts';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import { holderAt } from '../../platform/process/pid-file.ts';
import { isStopped } from '../../platform/process/program.ts';
import { isLocalError, LocalError, systemCode } from '../base/local-error.ts';
import { type ControlFolder, findControl, noDaemon } from './address.ts';
import { ControlError } from './control-error.ts';
import { FOR_PROCESSES, type Processes, processesText } from './for-processes.ts';
import type { OperationDetails, OperationSummary } from './operation-summary.ts';
import { CONTROL_HOST, type ControlStatus } from './routes.ts';

/**
 * Maximum size of a daemon's answer (bytes): the largest answer is an exported state, of 128 MiB before it is quoted.
 */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Maximum length of the result of {@link ControlClient.hold}, in characters. */
const MAX_HELD_LENGTH = 1024 * 1024;

/** Time after which an operator is notified that the bridge has not answered yet (ms). */
const SLOW_MS = 1500;

/** The daemon's API for its callers. Every call throws `LocalError` or {@link ControlError}. */
export interface ControlClient {
  status(): Promise<ControlStatus>;
  operations(): Promise<readonly OperationSummary[]>;
  /** Describes one operation with its arguments and result. */
  operation(name: string): Promise<OperationDetails>;
  /** Runs an operation; resolves with its result. */
  call(operation: string, args?: object, options?: CallOptions): Promise<unknown>;
  /**
   * Runs an operation whose result lives as long as a connection, such as `endpoints.open`, and keeps the connection
   * open.
   */
  hold(operation: string, args?: object): Promise<Held>;
  /** Output of an operation as a text, part by part; `timeoutMs` is for each part. */
  textOf(operation: string, options?: CallOptions): AsyncIterable<string>;
  /** Sends an operation a text that comes in parts, and resolves with its result. */
  give(operation: string, parts: AsyncIterable<string>, options?: CallOptions): Promise<unknown>;
}

/** Result of an operation that lives until one side ends the connection. */
export interface Held {
  readonly result: unknown;
  /** Resolves when the connection has ended, also by {@link Held.end}. */
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** How an operation is called. */
export interface CallOptions {
  /** Timeout of the whole answer, in ms, where it exceeds the client's timeout. */
  readonly timeoutMs?: number;
  /** `expected` where the answer waits for another party: a long wait then does not show that the daemon is slow. */
  readonly slowness?: 'told' | 'expected';
  /** Processes on whose behalf the call is made: each must be allowed to make it, besides the caller. */
  readonly forProcesses?: Processes | undefined;
}

/** How a client reaches its daemon. */
export interface ClientOptions {
  readonly folder: ControlFolder;
  readonly env: Environment;
  /** Name of the world that the calls concern; by default the bridge itself. */
  readonly world?: string | undefined;
  /** Timeout of a whole answer, in ms; default 10 s. */
  readonly timeoutMs?: number;
  /** Called once for each call that is not answered within 1.5 s; the call itself continues. */
  onSlow?(socketPath: string): void;
}

/**
 * Creates a client for the daemon of this environment. Each call opens a connection of its own; none is opened before
 * the first call.
 */
export function controlClient(options: ClientOptions): ControlClient {
  const base = options.world === undefined ? '/v1' : `/v1/worlds/${encodeURIComponent(options.world)}`;
  const operation = (name: string): string => `${base}/operations/${encodeURIComponent(name)}`;
  return {
    status: async () => (await exchange(options, 'GET', `${base}/status`)) as ControlStatus,
    operations: async () =>
      (await exchange(options, 'GET', `${base}/operations`)) as readonly OperationSummary[],
    operation: async (name) => (await exchange(options, 'GET', operation(name))) as OperationDetails,
    call: (name, args = {}, more = {}) =>
      exchange({ ...options, ...more }, 'POST', operation(name), JSON.stringify(args)),
    hold: (name, args = {}) => hold(options, `${operation(name)}/hold`, JSON.stringify(args)),
    textOf: (name, more = {}) => textOf({ ...options, ...more }, `${operation(name)}/text`),
    give: (name, parts, more = {}) =>
      exchange({ ...options, ...more }, 'POST', `${operation(name)}/text`, parts),
  };
}

async function exchange(
  options: ClientOptions & CallOptions,
  method: 'GET' | 'POST',
  path: string,
  body?: Body,
): Promise<unknown> {
  const reached = await reach(options, method, path, body);
  return answerIn(reached);
}

async function hold(options: ClientOptions, path: string, body: string): Promise<Held> {
  const reached = await reach(options, 'POST', path, body);
  const { socketPath, response, deadline } = reached;
  if (response.statusCode !== 200) {
    await answerIn(reached);
    throw unusable(socketPath, `it answers ${response.statusCode}`);
  }
  const ended = new Promise<void>((resolve) => void response.once('close', () => resolve()));
  response.on('error', () => {});
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      // The bridge sends nothing after the line.
      if (text.includes('\n')) return;
      text += part;
      if (text.includes('\n')) resolve(text);
      else if (text.length > MAX_HELD_LENGTH) reject(unusable(socketPath, 'its answer is too large'));
    });
    void ended.then(() => reject(brokenOff(socketPath, undefined)));
  }).catch((error: unknown) => {
    response.destroy();
    throw error;
  });
  clearTimeout(deadline);
  return { result: parseAnswer(socketPath, line), ended, end: () => void response.destroy() };
}

async function* textOf(options: ClientOptions, path: string): AsyncGenerator<string> {
  const reached = await reach(options, 'GET', path);
  const { socketPath, response } = reached;
  if (response.statusCode !== 200) {
    await answerIn(reached);
    throw unusable(socketPath, `it answers ${response.statusCode}`);
  }
  const decoder = new TextDecoder();
  try {
    for await (const chunk of receivedParts(reached)) yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw isLocalError(error) ? error : brokenOff(socketPath, error);
  }
  yield decoder.decode();
}

/** Answer of a bridge whose header has arrived and whose body is still to be read. */
interface Reached {
  readonly socketPath: string;
  readonly response: IncomingMessage;
  /** Timer that expires when no further part of the answer arrives. */
  readonly deadline: NodeJS.Timeout;
  /** Aborted when it has. */
  readonly giveUp: AbortSignal;
}

/** Sends a request and resolves as soon as its answer begins. */
async function reach(
  options: ClientOptions & CallOptions,
  method: 'GET' | 'POST',
  path: string,
  body?: Body,
): Promise<Reached> {
  const { folder, env, timeoutMs = 10_000 } = options;
  const socketPath = findControl(folder, env);
  const giveUp = new AbortController();
  const slow = setTimeout(() => {
    const stopped = stoppedBridge(socketPath);
    if (stopped !== undefined) giveUp.abort(stopped);
    else if (options.slowness !== 'expected') options.onSlow?.(socketPath);
  }, SLOW_MS);
  // Not `AbortSignal.timeout`: Node 20 may collect that signal while `AbortSignal.any` waits for it.
  const deadline = setTimeout(
    () => giveUp.abort(unusable(socketPath, `no answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  // A daemon that reads the sent body does not hang, so each part restarts the notice timer.
  const taken = (): void => void slow.refresh();
  const { forProcesses } = options;
  const call = { socketPath, method, path, giveUp: giveUp.signal, taken, forProcesses };
  const response = await send(call, body)
    .finally(() => clearTimeout(slow))
    .catch((error: unknown) => {
      clearTimeout(deadline);
      const code = systemCode(error);
      // A killed daemon leaves a socket without a listener; a daemon that ends resets the requests that it did not
      // answer.
      if (code !== undefined && ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code))
        throw noDaemon(folder, env, error);
      throw error;
    });
  response.once('close', () => clearTimeout(deadline));
  return { socketPath, response, deadline, giveUp: giveUp.signal };
}

/** Parts of an answer, each with the whole timeout. Throws LocalError when a part exceeds the timeout. */
async function* receivedParts({ response, deadline, giveUp }: Reached): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      deadline.refresh();
      yield chunk;
    }
  } catch (error) {
    throw giveUp.aborted ? giveUp.reason : error;
  }
}

/** The JSON of an answer. Throws {@link ControlError} for a refusal. */
async function answerIn(reached: Reached): Promise<unknown> {
  const { socketPath, response } = reached;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of receivedParts(reached)) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) throw unusable(socketPath, 'its answer is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw isLocalError(error) ? error : brokenOff(socketPath, error);
  }
  const value = parseAnswer(socketPath, Buffer.concat(chunks).toString('utf8'));
  if (response.statusCode === 200) return value;
  const { code, message } = value as { readonly code?: unknown; readonly message?: unknown };
  throw new ControlError(response.statusCode ?? 0, String(code), String(message));
}

/**
 * Error that names the bridge which holds the lock beside the socket, if a signal has stopped that bridge: it would
 * never answer. Otherwise undefined.
 */
function stoppedBridge(socketPath: string): LocalError | undefined {
  const pid = lockHolder(join(dirname(socketPath), 'daemon.lock'));
  if (pid === undefined || !isStopped(pid)) return undefined;
  return new LocalError(
    'FOOTBRIDGE_CONTROL',
    `The bridge at ${socketPath} (pid ${pid}) is stopped by a signal and answers nobody. Let it go on with: kill -CONT ${pid}`,
  );
}

/** On Windows there is no lock file beside the pipe. */
function lockHolder(path: string): number | undefined {
  try {
    return holderAt(path);
  } catch {
    return undefined;
  }
}

interface Call {
  readonly socketPath: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly giveUp: AbortSignal;
  /** Called for each part of the body that the socket has accepted. */
  readonly taken: () => void;
  readonly forProcesses: Processes | undefined;
}

/** Request body: a complete text, or a text that comes in parts. */
type Body = string | AsyncIterable<string>;

async function send(call: Call, body: Body = ''): Promise<IncomingMessage> {
  const { socketPath, method, path, giveUp, taken, forProcesses } = call;
  // The connection is opened first, so that no part of the body is read without a connection to send it to.
  const socket = await connectLocally(socketPath, giveUp);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        createConnection: () => socket,
        method,
        path,
        signal: giveUp,
        headers: {
          host: CONTROL_HOST,
          ...(forProcesses === undefined ? {} : { [FOR_PROCESSES]: processesText(forProcesses) }),
          ...(typeof body === 'string'
            ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
            : { 'content-type': 'text/plain; charset=utf-8' }),
        },
      },
      resolve,
    );
    outgoing.on('error', (error) => reject(giveUp.aborted ? (giveUp.reason as Error) : error));
    if (typeof body === 'string') {
      // The Content-Length marks the end of the body, so `end()` is not called: Node would write an empty chunk after
      // the body, and would lose the answer if the bridge has answered and closed the connection by then.
      if (body === '') outgoing.flushHeaders();
      else outgoing.write(body);
      return;
    }
    pour(body, outgoing, taken).catch((error: unknown) => {
      // If the body cannot be read to its end, the request is aborted, so that no half of a body counts as complete.
      outgoing.destroy(error as Error);
      reject(error as Error);
    });
  });
}

async function pour(parts: AsyncIterable<string>, outgoing: ClientRequest, taken: () => void): Promise<void> {
  for await (const part of parts) {
    if (outgoing.destroyed) return;
    if (part !== '' && !outgoing.write(part)) await once(outgoing, 'drain');
    taken();
  }
  outgoing.end();
}

function parseAnswer(socketPath: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unusable(socketPath, 'its answer is not JSON', error);
  }
}

function brokenOff(socketPath: string, cause: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_CONTROL',
    `The bridge at ${socketPath} broke its answer off: it ended, or what it sent had to give way, such as an export to a newer one ` +
      'or to changes that need the memory. Try again.',
    { cause },
  );
}

function unusable(socketPath: string, problem: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_CONTROL',
    `The bridge at ${socketPath} does not answer as it should: ${problem}. Restart it.`,
    { cause },
  );
}
