import { parseExact } from '../../base/exact-json.ts';
import { jsonPosition } from '../../base/json-position.ts';
import type { LocalError } from '../../base/local-error.ts';
import { printableExactJson } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { type AppFlags, connectApp } from '../app/connection.ts';
import { readInput } from '../app/input.ts';
import { asRefusal } from '../app/refusal.ts';
import { authenticate, printEvents, request } from '../app/requests.ts';
import { usage } from '../parse.ts';
import type { TokenRequest } from '../token/obtain.ts';
import { authenticateStored } from '../token/stored.ts';
import { callLines } from './lines.ts';

/** Options of a call from the command line: one request, or the requests of stdin. */
export interface CallOptions {
  readonly app: AppFlags;
  /** A command of the protocol, or `-` for one request per line of stdin. */
  readonly cmd: string;
  /** JSON, `-` for stdin, or `@FILE`. */
  readonly args: string | undefined;
  readonly evt: string | undefined;
  readonly tokenFile: string | undefined;
  /** Authorization for which a token is obtained or a stored token is used; undefined for a call without a token. */
  readonly authorize: TokenRequest | undefined;
  readonly follow: boolean;
}

/** Sends requests to an endpoint and prints each answer. Returns the exit code. */
export async function callEndpoint(options: CallOptions, io: Io): Promise<number> {
  const { app, cmd, evt, follow, authorize } = options;
  const { limit } = app;
  const isBatch = cmd === '-';
  if (isBatch && (options.args !== undefined || evt !== undefined))
    throw wrong('With - each line of stdin has its own args and evt.');
  if ((isBatch || options.args === '-') && options.tokenFile === '-')
    throw wrong('Only one of requests, JSON and --token-file can be read from stdin.');
  try {
    const args = isBatch ? {} : await readArgs(options, io);
    const token = await readToken(options, io);
    const connection = await connectApp(app, io);
    try {
      if (token !== undefined) await authenticate(connection.client, token, limit);
      if (authorize !== undefined) await authenticateStored(connection, app, authorize, io);
      if (isBatch) return await callLines(connection, { limit, follow }, io);
      const data = await request(connection.client, { cmd, args, evt }, limit);
      limit.rest();
      io.out(`${printableExactJson(data, io.terminal.out && !follow ? 2 : 0)}\n`);
      if (follow) await printEvents(connection, io);
      return ExitCode.OK;
    } finally {
      void connection.client.close();
    }
  } catch (error) {
    // The user closed stdout, which ended the connection: that is no failure.
    if (follow && io.outClosed.aborted) return ExitCode.OK;
    throw await asRefusal(error, evt);
  }
}

async function readToken({ tokenFile, app }: CallOptions, io: Io): Promise<string | undefined> {
  if (tokenFile === undefined) return undefined;
  const token = tokenIn((await readInput(tokenFile, app.limit, io)).trim());
  if (token !== '') return token;
  throw wrong(`--token-file: there is no token in ${tokenFile === '-' ? 'stdin' : tokenFile}.`);
}

/** The text itself, or the token of a token response in JSON. */
function tokenIn(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const token: unknown = Reflect.get(JSON.parse(text) as object, 'access_token');
    return typeof token === 'string' ? token : '';
  } catch {
    return '';
  }
}

async function readArgs({ cmd, args: input, app }: CallOptions, io: Io): Promise<object> {
  if (input === undefined) return {};
  const fromFile = input === '-' || input.startsWith('@');
  if (input === '@') throw wrong('@ needs the path of a file behind it.');
  const text = fromFile ? await readInput(input === '-' ? '-' : input.slice(1), app.limit, io) : input;
  let args: unknown;
  try {
    args = parseExact(text);
  } catch (error) {
    throw wrong(`${fromFile ? input : 'The second word'} is not JSON${jsonPosition(error, text)}.`);
  }
  if (!fromFile && cmd === 'AUTHENTICATE' && hasToken(args)) {
    throw wrong('Other programs can read a token on the command line: use @FILE, - or --token-file.');
  }
  return args as object;
}

function hasToken(args: unknown): boolean {
  return typeof Reflect.get(Object(args) as object, 'access_token') === 'string';
}

function wrong(problem: string): LocalError {
  return usage(problem, { name: 'call' });
}
