import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { type Environment, endpointFolder } from '../../platform/endpoints.ts';
import { LocalError, systemCode } from '../../platform/local-error.ts';
import { holderAt } from '../../platform/pid-file.ts';
import { isStopped } from '../../platform/program.ts';
import { findControl, noDaemon, type Place } from './address.ts';
import { ControlError } from './control-error.ts';
import { CONTROL_HOST, type ControlStatus, type OperationSummary } from './routes.ts';

/** Answers of the daemon are bounded too; the largest is an exported state, of 128 MiB before it is quoted. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Past this a person wants to know what is waited for (ms). */
const SLOW_MS = 1500;

/** The daemon's API, as a caller sees it. Every call throws `LocalError` or {@link ControlError}. */
export interface ControlClient {
  status(): Promise<ControlStatus>;
  operations(): Promise<readonly OperationSummary[]>;
  /** Runs an operation; the result is whatever it returns. */
  call(operation: string, args?: object, options?: CallOptions): Promise<unknown>;
}

/** How an operation is called. */
export interface CallOptions {
  /** For the whole answer, in ms, where it is more than what the client waits. */
  readonly timeoutMs?: number;
}

/** How a client reaches its daemon. */
export interface ClientOptions {
  readonly place: Place;
  readonly env: Environment;
  /** For a whole answer, in ms; default 10 s. */
  readonly timeoutMs?: number;
  /** Told once of each call that is not answered within 1.5 s; it goes on being waited for. */
  onSlow?(socketPath: string): void;
}

/** A client for the daemon of this environment. Connects anew for each call; none is made here. */
export function controlClient(options: ClientOptions): ControlClient {
  return {
    status: async () => (await exchange(options, 'GET', '/v1/status')) as ControlStatus,
    operations: async () => (await exchange(options, 'GET', '/v1/operations')) as readonly OperationSummary[],
    call: (operation, args = {}, more = {}) =>
      exchange(
        { ...options, ...more },
        'POST',
        `/v1/operations/${encodeURIComponent(operation)}`,
        JSON.stringify(args),
      ),
  };
}

async function exchange(
  options: ClientOptions,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
): Promise<unknown> {
  const { place, env, timeoutMs = 10_000 } = options;
  const socketPath = findControl(place, env);
  const giveUp = new AbortController();
  const slow = setTimeout(() => {
    const stopped = stoppedBridge(socketPath);
    if (stopped === undefined) options.onSlow?.(socketPath);
    else giveUp.abort(stopped);
  }, SLOW_MS);
  const { status, text } = await send({ socketPath, method, path, timeoutMs, giveUp: giveUp.signal }, body)
    .finally(() => clearTimeout(slow))
    .catch((error: unknown) => {
      const code = systemCode(error);
      // A socket that nobody listens on is what a killed daemon leaves behind; one that ends resets what it did not answer.
      if (code !== undefined && ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code))
        throw noDaemon(endpointFolder(place.os, env).folder, error);
      throw error;
    });
  const value = parseAnswer(socketPath, text);
  if (status === 200) return value;
  const { code, message } = value as { readonly code?: unknown; readonly message?: unknown };
  throw new ControlError(status, String(code), String(message));
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
  readonly timeoutMs: number;
  readonly giveUp: AbortSignal;
}

function send(call: Call, body = ''): Promise<{ readonly status: number; readonly text: string }> {
  const { socketPath, method, path, timeoutMs, giveUp } = call;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath,
        method,
        path,
        agent: false,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), giveUp]),
        headers: {
          host: CONTROL_HOST,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.byteLength;
          if (size > MAX_ANSWER_BYTES) outgoing.destroy(unusable(socketPath, 'its answer is too large'));
          chunks.push(chunk);
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
        });
        response.on('error', reject);
      },
    );
    outgoing.on('error', (error) => {
      if (giveUp.aborted) return reject(giveUp.reason as Error);
      reject(
        error.name === 'AbortError' ? unusable(socketPath, `no answer within ${timeoutMs} ms`, error) : error,
      );
    });
    outgoing.end(body);
  });
}

function parseAnswer(socketPath: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unusable(socketPath, 'its answer is not JSON', error);
  }
}

function unusable(socketPath: string, problem: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_CONTROL',
    `The bridge at ${socketPath} does not answer as it should: ${problem}. Restart it.`,
    cause === undefined ? undefined : { cause },
  );
}
