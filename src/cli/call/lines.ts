import type { Readable } from 'node:stream';
import { largeNumberIn, parseExact } from '../../base/exact-json.ts';
import { jsonPosition } from '../../base/json-position.ts';
import { LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { printableExactJson } from '../../base/text.ts';
import { RpcError } from '../../client/index.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import type { AppConnection } from '../app/connection.ts';
import { hint } from '../app/refusal.ts';
import { type CallRequest, printEvents, request } from '../app/requests.ts';
import type { TimeLimit } from '../app/time-limit.ts';

/** Maximum length of a line of stdin (bytes); servers have a lower limit for a frame. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MEMBERS = ['cmd', 'args', 'evt'] as const;

/**
 * Sends one request per line of stdin, each after the answer to the previous request, and prints one line for each
 * answer. Returns 1 when a request was refused, else 0. Throws `LocalError` for a line that is no request, and the
 * error that ended the connection.
 */
export async function callLines(
  connection: AppConnection,
  { limit, follow }: { readonly limit: TimeLimit; readonly follow: boolean },
  io: Io,
): Promise<number> {
  let code: number = ExitCode.OK;
  let count = 0;
  let printing: Promise<never> | undefined;
  // The end of the connection must also end the loop while it waits for the next line.
  void connection.ended.then((error) => io.stdin.destroy(error));
  limit.rest();
  for await (const { text, number } of linesOf(io.stdin)) {
    const parsed = parseLine(text, number);
    if (parsed === undefined) continue;
    count += 1;
    const answer = await answerTo(parsed, connection, limit);
    limit.rest();
    if ('error' in answer) code = ExitCode.FAILED;
    io.out(`${printableExactJson({ cmd: parsed.cmd, ...answer })}\n`);
    if (!follow || printing !== undefined) continue;
    printing = printEvents(connection, io);
    printing.catch(() => {});
  }
  if (count === 0)
    throw new LocalError('FOOTBRIDGE_USAGE', 'stdin: there is no request in it. Try: {"cmd":"GET_GUILDS"}');
  return printing ?? code;
}

type Answered =
  | { readonly data: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

async function answerTo(call: CallRequest, { client }: AppConnection, limit: TimeLimit): Promise<Answered> {
  try {
    return { data: await request(client, call, limit) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const meant = await hint(error, call.evt);
    return { error: { code: error.code, message: `${error.message}${meant === '' ? '' : `.${meant}`}` } };
  }
}

/** Parses a line of stdin; undefined for an empty line. Throws `LocalError` FOOTBRIDGE_USAGE. */
function parseLine(text: string, number: number): CallRequest | undefined {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    throw wrongLine(number, `is not JSON${jsonPosition(error, text)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongLine(number, 'is no object');
  const { cmd, args = {}, evt } = value as { readonly [N in (typeof MEMBERS)[number]]?: unknown };
  const other = Object.keys(value).find((name) => !MEMBERS.some((known) => known === name));
  if (other !== undefined)
    throw wrongLine(number, `has ${JSON.stringify(other.slice(0, 60))} in it.${didYouMean(other, MEMBERS)}`);
  if (!isText(cmd) || cmd === '') throw wrongLine(number, 'has no "cmd", which is a text');
  if (typeof args !== 'object' || args === null) throw wrongLine(number, 'has "args" that are no object');
  if (evt !== undefined && !isText(evt)) throw wrongLine(number, 'has an "evt" that is no text');
  return { cmd, args, evt };
}

/** `parseExact` returns a large number as a string with a marker, which is not a text. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && largeNumberIn(value) === undefined;
}

function wrongLine(number: number, problem: string): LocalError {
  const text = `stdin, line ${number}: ${problem.replace(/\.$/, '')}`;
  return new LocalError(
    'FOOTBRIDGE_USAGE',
    `${text}. A request is such as {"cmd":"GET_GUILD","args":{"guild_id":"1"}}.`,
  );
}

/**
 * Lines of a stream, each of bounded length. Throws `LocalError` FOOTBRIDGE_INPUT for a line that is too long or not
 * UTF-8.
 */
async function* linesOf(
  stream: Readable,
): AsyncGenerator<{ readonly text: string; readonly number: number }> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    size += part.byteLength;
    if (size > MAX_LINE_BYTES) {
      const text = `stdin, line ${number}: is longer than ${MAX_LINE_BYTES} bytes. Give one request a line.`;
      throw new LocalError('FOOTBRIDGE_INPUT', text);
    }
    parts.push(part);
  };
  const take = (): { readonly text: string; readonly number: number } => {
    const bytes = Buffer.concat(parts);
    parts = [];
    size = 0;
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), number: number++ };
    } catch (cause) {
      throw new LocalError('FOOTBRIDGE_INPUT', `stdin, line ${number}: is not UTF-8. Give JSON in UTF-8.`, {
        cause,
      });
    }
  };
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    let rest = chunk;
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      yield take();
    }
    add(rest);
  }
  if (size > 0) yield take();
}
