import { LocalError } from '../../../platform/local-error.ts';
import { currentPlace, printJson } from '../ask-daemon.ts';
import { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { usage } from '../parse.ts';
import { collect, readBounded } from '../read-bounded.ts';
import { connectEndpoint } from './find-endpoint.ts';
import { type Message, type Outgoing, WireClient } from './wire-client.ts';

/** One call, as the command line gives it. */
export interface CallOptions {
  readonly cmd: string;
  /** JSON, `-` for stdin, or `@FILE`. */
  readonly args: string | undefined;
  readonly evt: string | undefined;
  readonly clientId: string;
  readonly endpoint: string | undefined;
  readonly tokenFile: string | undefined;
  /** Seconds, as typed. */
  readonly timeout: string | undefined;
  readonly follow: boolean;
}

/** The servers' own limit is lower; this one protects us from a wrong file. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024;
const HANDSHAKE_MS = 10_000;
const ANSWER_MS = 10_000;
/** A person has 120 s to decide. */
const AUTHORIZE_MS = 130_000;

/** Sends one request to an endpoint and prints the answer's `data`. Returns the exit code. */
export async function callEndpoint(options: CallOptions, io: Io): Promise<number> {
  const { cmd, evt, tokenFile } = options;
  if (options.args === '-' && tokenFile === '-')
    throw wrong('Only one of JSON and --token-file can be read from stdin.');
  if (options.endpoint === '') throw wrong('--endpoint: "" is not the path of a socket or pipe.');
  const timeoutMs = readTimeout(options.timeout, cmd);
  const args = await readArgs(cmd, options.args, io);
  const token = tokenFile === undefined ? undefined : (await readInput(tokenFile, io)).trim();

  const client = new WireClient(await connectEndpoint(currentPlace().os, io.env, options.endpoint));
  try {
    await client.handshake(options.clientId, HANDSHAKE_MS);
    if (token !== undefined) {
      await ask(client, { cmd: 'AUTHENTICATE', args: { access_token: token } }, timeoutMs);
    }
    const request: Outgoing = { cmd, args, ...(evt === undefined ? {} : { evt }) };
    const { data } = await ask(client, request, timeoutMs);
    if (!options.follow) printJson(io, data ?? null);
    else await follow(client, data, io);
    return ExitCode.OK;
  } finally {
    client.close();
  }
}

/** Answer and events as one JSON value a line, until the connection or the person ends it. */
async function follow(client: WireClient, answer: unknown, io: Io): Promise<void> {
  io.out(`${JSON.stringify(answer ?? null)}\n`);
  for await (const { evt, data } of client.events()) io.out(`${JSON.stringify({ evt, data })}\n`);
}

async function ask(client: WireClient, request: Outgoing, timeoutMs: number): Promise<Message> {
  const answer = await client.request(request, timeoutMs);
  if (answer.evt !== 'ERROR') return answer;
  const { code, message } = (answer.data ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  throw new LocalError('FOOTBRIDGE_RPC_ERROR', `${request.cmd} failed: ${String(code)} ${String(message)}`);
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
  return path === '-' ? collect(io.stdin, MAX_INPUT_BYTES, 'stdin') : readBounded(path, MAX_INPUT_BYTES);
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
