import { LocalError } from '../../../platform/local-error.ts';
import { collect, readArgument } from '../../../platform/read-bounded.ts';
import { printable, printableJson } from '../../../platform/text.ts';
import {
  type Client,
  type ClientError,
  createClient,
  type DispatchedEvent,
  RpcError,
} from '../../client/index.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { printJson } from '../ask-daemon.ts';
import { usage } from '../parse.ts';
import { asLocalError, candidates } from './endpoint.ts';

/** One call, as the command line gives it. */
export interface CallOptions {
  readonly cmd: string;
  /** JSON, `-` for stdin, or `@FILE`. */
  readonly args: string | undefined;
  readonly evt: string | undefined;
  readonly clientId: string;
  readonly endpoint: string | undefined;
  /** Connect to sockets of other users as well. */
  readonly anyOwner: boolean;
  readonly tokenFile: string | undefined;
  /** Seconds, as typed. */
  readonly timeout: string | undefined;
  readonly follow: boolean;
}

/** The servers' own limit is lower; this one protects us from a wrong file. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024;
const ANSWER_MS = 10_000;
/** A person has 120 s to decide. */
const AUTHORIZE_MS = 130_000;

/** Sends one request to an endpoint and prints the answer's `data`. Returns the exit code. */
export async function callEndpoint(options: CallOptions, io: Io): Promise<number> {
  const { cmd, evt, tokenFile } = options;
  if (options.args === '-' && tokenFile === '-')
    throw wrong('Only one of JSON and --token-file can be read from stdin.');
  if (options.endpoint === '') throw wrong('--endpoint: "" is not the path of a socket or pipe.');
  if (!/^[1-9]\d{0,19}$/.test(options.clientId))
    throw wrong(`--client-id: ${JSON.stringify(options.clientId)} is not a decimal id.`);
  const timeoutMs = readTimeout(options.timeout, cmd);
  const paths = candidates(io, options.endpoint);
  const args = await readArgs(cmd, options.args, io);
  const token = tokenFile === undefined ? undefined : (await readInput(tokenFile, io)).trim();

  if (token === '')
    throw wrong(`--token-file: there is no token in ${tokenFile === '-' ? 'stdin' : tokenFile}.`);

  const limit = timeLimit(timeoutMs);
  const client = createClient({
    clientId: options.clientId,
    paths,
    anyOwner: options.anyOwner,
    reconnect: false,
    connectTimeoutMs: timeoutMs,
    requestTimeoutMs: 0,
    signal: limit.signal,
  });
  const end = endOf(client);
  // Listens from here on: what comes in one breath with the answer is printed after it.
  const events = options.follow ? client[Symbol.asyncIterator]() : undefined;
  const first = events?.next();
  try {
    limit.next(`READY from ${options.endpoint ?? `${paths[0]} or the nine above it`}`);
    await client.connect();
    if (token !== undefined) {
      limit.next('answer to AUTHENTICATE');
      await client.requestRaw('AUTHENTICATE', { access_token: token });
    }
    limit.next(`answer to ${shown(cmd)}`);
    const data = await client.requestRaw(cmd, args as object, {}, evt);
    limit.clear();
    if (events === undefined || first === undefined) printJson(io, data);
    else {
      io.out(`${printableJson(data)}\n`);
      io.outGone.addEventListener('abort', () => void client.close());
      await printEvents(first, events, io);
      const error = await end;
      if (!io.outGone.aborted) throw error;
    }
    return ExitCode.OK;
  } catch (error) {
    // What is under way then fails because the client is closed, which is not why.
    if (limit.signal.aborted) throw limit.signal.reason;
    if (error instanceof RpcError)
      throw new LocalError(
        'FOOTBRIDGE_RPC_ERROR',
        `${shown(error.cmd)} failed: ${error.code} ${error.message}`,
      );
    throw asLocalError(error);
  } finally {
    limit.clear();
    void client.close();
  }
}

/** Each event as one JSON value a line, until the connection ends. */
async function printEvents(
  first: Promise<IteratorResult<DispatchedEvent, void>>,
  events: AsyncGenerator<DispatchedEvent, void>,
  io: Io,
): Promise<void> {
  for (let next = await first; !next.done; next = await events.next()) {
    const { event, data } = next.value;
    io.out(`${printableJson({ evt: event, data })}\n`);
  }
}

/** Why the connection ended, once it has. */
function endOf(client: Client): Promise<ClientError> {
  return new Promise((resolve) => client.on('disconnected', resolve));
}

/** One limit on everything until the answer; its error names the step that was waited for last. */
function timeLimit(ms: number) {
  const controller = new AbortController();
  let awaited = '';
  const timer = setTimeout(() => {
    const text = `No ${awaited} within ${ms / 1000} s; --timeout sets how long to wait.`;
    controller.abort(new LocalError('FOOTBRIDGE_TIMEOUT', text));
  }, ms);
  return {
    signal: controller.signal,
    next: (step: string): void => {
      awaited = step;
    },
    clear: (): void => clearTimeout(timer),
  };
}

/** The command as it was typed, on one line and no longer than a person reads. */
function shown(cmd: string): string {
  return printable(cmd.length > 60 ? `${cmd.slice(0, 60)}…` : cmd);
}

async function readArgs(cmd: string, given: string | undefined, io: Io): Promise<unknown> {
  if (given === undefined) return {};
  const fromFile = given === '-' || given.startsWith('@');
  const text = fromFile ? await readInput(given === '-' ? '-' : given.slice(1), io) : given;
  let args: unknown;
  try {
    args = JSON.parse(text) as unknown;
  } catch {
    // The parser's text quotes the input.
    throw wrong(`${fromFile ? given : 'The second word'} is not JSON.`);
  }
  if (!fromFile && cmd === 'AUTHENTICATE' && hasToken(args)) {
    throw wrong('Other programs can read a token on the command line: use @FILE, - or --token-file.');
  }
  return args;
}

function hasToken(args: unknown): boolean {
  return typeof Reflect.get(Object(args) as object, 'access_token') === 'string';
}

async function readInput(path: string, io: Io): Promise<string> {
  return path === '-' ? collect(io.stdin, MAX_INPUT_BYTES, 'stdin') : readArgument(path, MAX_INPUT_BYTES);
}

function readTimeout(given: string | undefined, cmd: string): number {
  if (given === undefined) return cmd === 'AUTHORIZE' ? AUTHORIZE_MS : ANSWER_MS;
  const seconds = Number(given);
  if (/^\d{1,5}(\.\d+)?$/.test(given) && seconds > 0) return seconds * 1000;
  throw wrong(`--timeout: ${JSON.stringify(given)} is not a number of seconds.`);
}

function wrong(problem: string): LocalError {
  return usage(problem, { name: 'call' });
}
