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

/** Answers of the daemon are bounded too; the largest is an exported state, of 128 MiB before it is quoted. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** After this time an operator gets a notice of the operation that is waited for (ms). */
const SLOW_MS = 1500;

/** The daemon's API, as a caller sees it. Every call throws `LocalError` or {@link ControlError}. */
export interface ControlClient {
  status(): Promise<ControlStatus>;
  operations(): Promise<readonly OperationSummary[]>;
  /** One of them, with its arguments and result. */
  operation(name: string): Promise<OperationDetails>;
  /** Runs an operation; resolves with its result. */
  call(operation: string, args?: object, options?: CallOptions): Promise<unknown>;
  /** Output of an operation as a text, part by part; `timeoutMs` is for each part. */
  textOf(operation: string, options?: CallOptions): AsyncIterable<string>;
  /** Sends an operation a text that comes in parts, and resolves with its result. */
  give(operation: string, parts: AsyncIterable<string>, options?: CallOptions): Promise<unknown>;
}

/** How an operation is called. */
export interface CallOptions {
  /** Timeout of the whole answer, in ms, where it exceeds the client's. */
  readonly timeoutMs?: number;
  /** `expected` where the answer waits for another party: a long wait then proves nothing about the daemon. */
  readonly slowness?: 'told' | 'expected';
  /** On whose behalf: each has to be allowed, besides the caller. */
  readonly forProcesses?: Processes | undefined;
}

/** How a client reaches its daemon. */
export interface ClientOptions {
  readonly folder: ControlFolder;
  readonly env: Environment;
  /** For a whole answer, in ms; default 10 s. */
  readonly timeoutMs?: number;
  /** Called once for each call that is not answered within 1.5 s; the call still waits. */
  onSlow?(socketPath: string): void;
}

/** A client for the daemon of this environment. Connects anew for each call; none is opened here. */
export function controlClient(options: ClientOptions): ControlClient {
  const operation = (name: string): string => `/v1/operations/${encodeURIComponent(name)}`;
  return {
    status: async () => (await exchange(options, 'GET', '/v1/status')) as ControlStatus,
    operations: async () => (await exchange(options, 'GET', '/v1/operations')) as readonly OperationSummary[],
    operation: async (name) => (await exchange(options, 'GET', operation(name))) as OperationDetails,
    call: (name, args = {}, more = {}) =>
      exchange({ ...options, ...more }, 'POST', operation(name), JSON.stringify(args)),
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

/** A bridge that has begun to answer. */
interface Reached {
  readonly socketPath: string;
  readonly response: IncomingMessage;
  /** Expires when no further part of the answer comes. */
  readonly deadline: NodeJS.Timeout;
  /** Aborted when it has. */
  readonly giveUp: AbortSignal;
}

/** Sends a request, and has its answer as soon as that begins. */
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
  // A timer of our own: Node 20 may collect AbortSignal.timeout while AbortSignal.any waits for it.
  const deadline = setTimeout(
    () => giveUp.abort(unusable(socketPath, `no answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  // While the daemon takes what is sent, it does not hang.
  const taken = (): void => void slow.refresh();
  const { forProcesses } = options;
  const call = { socketPath, method, path, giveUp: giveUp.signal, taken, forProcesses };
  const response = await send(call, body)
    .finally(() => clearTimeout(slow))
    .catch((error: unknown) => {
      clearTimeout(deadline);
      const code = systemCode(error);
      // A killed daemon leaves a socket without a listener; one that ends resets requests it did not answer.
      if (code !== undefined && ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code))
        throw noDaemon(folder, env, error);
      throw error;
    });
  response.once('close', () => clearTimeout(deadline));
  return { socketPath, response, deadline, giveUp: giveUp.signal };
}

/** The parts of an answer, each with the whole timeout. Throws LocalError when one exceeds it. */
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

/** The bridge that holds the lock beside the socket, if a signal has stopped it: it would never answer. */
function stoppedBridge(socketPath: string): LocalError | undefined {
  const pid = lockHolder(join(dirname(socketPath), 'daemon.lock'));
  if (pid === undefined || !isStopped(pid)) return undefined;
  return new LocalError(
    'FOOTBRIDGE_CONTROL',
    `The bridge at ${socketPath} (pid ${pid}) is stopped by a signal and answers nobody. Let it go on with: kill -CONT ${pid}`,
  );
}

/** On Windows there is no lock beside the pipe. */
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
  /** Called for each part of a body that was sent. */
  readonly taken: () => void;
  readonly forProcesses: Processes | undefined;
}

/** Request body: a text, or one that comes in parts. */
type Body = string | AsyncIterable<string>;

async function send(call: Call, body: Body = ''): Promise<IncomingMessage> {
  const { socketPath, method, path, giveUp, taken, forProcesses } = call;
  // Nothing of the body is read before there is a connection to send it to.
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
      // Its Content-Length marks its end. To end it here, Node would write an empty piece behind it, and lose the
      // answer where the bridge, which has it all, has answered and closed the connection by then.
      if (body === '') outgoing.flushHeaders();
      else outgoing.write(body);
      return;
    }
    pour(body, outgoing, taken).catch((error: unknown) => {
      // A body that cannot be read to its end is not sent by half.
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
    cause === undefined ? undefined : { cause },
  );
}
