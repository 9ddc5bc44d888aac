import { parseExact, printExact } from '../base/exact-json.ts';
import { shellWord } from '../base/shell-word.ts';
import { printable } from '../base/text.ts';
import { Opcode } from '../wire/codes.ts';
import type { JournalEntry } from './entry.ts';
import { HIDDEN } from './secret-names.ts';

/** Headers of a request that a client sets by itself, or that the journal hides. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'authorization',
  'cookie',
]);

/**
 * The command line that sends the request of an entry again as an app of its own; undefined for an entry that is no request
 * of an app.
 */
export function callCommand(entry: JournalEntry, application: string | undefined): string | undefined {
  if (entry.kind !== 'frame' || entry.direction !== 'in' || entry.opcode !== Opcode.FRAME) return undefined;
  const { cmd, args, evt } = objectIn(entry.text);
  // A foreign recorded file may have any name: one that begins with "-" would be an option.
  if (typeof cmd !== 'string' || !/^[^-]/.test(cmd)) return undefined;
  const words = ['footbridge', 'call', shellWord(cmd)];
  if (args !== undefined && args !== null) words.push(shellWord(printExact(args)));
  if (typeof evt === 'string') words.push(...option('--evt', evt));
  if (application !== undefined) words.push(...option('--client-id', application));
  // A control character could end a paste into a terminal.
  return printable(words.join(' '));
}

/** An option with its value, which may begin with "-". */
function option(name: string, value: string): readonly string[] {
  return value.startsWith('-') ? [shellWord(`${name}=${value}`)] : [name, shellWord(value)];
}

/**
 * The command line of curl for a request over HTTP; undefined for any other entry. The credentials are a variable of the
 * shell, because the journal has none. `api` is the base address of the emulator's API.
 */
export function curlCommand(entry: JournalEntry, api: string | undefined): string | undefined {
  if (entry.kind !== 'http') return undefined;
  const { method, path, request } = entry;
  // A foreign recorded file may have any path: "@host/" would send the credentials there.
  if (!path.startsWith('/')) return undefined;
  const origin = api === undefined ? 'http://127.0.0.1:6481' : new URL(api).origin;
  const words = ['curl', '-X', shellWord(method), shellWord(`${origin}${path}`)];
  // Brackets and braces would be several addresses.
  if (/[[\]{}]/.test(path)) words.push('--globoff');
  const { authorization } = request.headers;
  if (authorization !== undefined) words.push('-H', `"Authorization: ${schemeOf(authorization)}$TOKEN"`);
  for (const [name, value] of Object.entries(request.headers))
    if (!LEFT_OUT.has(name) && value !== HIDDEN && !name.startsWith('@'))
      words.push('-H', shellWord(`${name}: ${value}`));
  if (request.body !== undefined && !isNote(request.body)) words.push('--data-raw', shellWord(request.body));
  return printable(words.join(' '));
}

/** `Bot `, `Bearer ` or another scheme of credentials; empty where the journal hides all of them. */
function schemeOf(authorization: string): string {
  const [, scheme = ''] = /^([A-Za-z]{1,20} )/.exec(authorization) ?? [];
  return scheme;
}

/** Whether a body is a note of the journal in place of the body, such as `(image/png)`. */
function isNote(body: string): boolean {
  return body.startsWith('(');
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseExact(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
