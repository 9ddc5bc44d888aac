import { parseExact, printExact } from '../base/exact-json.ts';
import { shellWord } from '../base/shell-word.ts';
import { printable } from '../base/text.ts';
import { Opcode } from '../wire/codes.ts';
import type { JournalEntry } from './entry.ts';
import { HIDDEN, isHiddenText } from './secret-names.ts';

/** Headers of a request that a client sets by itself, or that the journal hides. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'authorization',
  'cookie',
]);

/** Scopes that a refusal names, as its sentence does: `GET_GUILDS needs the scope rpc; AUTHORIZE and AUTHENTICATE first`. */
const NEEDED = /\bneeds the scope ([a-z._]{1,64}(?: (?:or|and) [a-z._]{1,64}){0,16});/;

/**
 * The command line that sends the request of an entry again as an app of its own; undefined for an entry that is no request
 * of an app. Where `answer` refuses it for want of a scope, the line asks for that scope.
 */
export function callCommand(
  entry: JournalEntry,
  application: string | undefined,
  answer?: JournalEntry,
): string | undefined {
  if (entry.kind !== 'frame' || entry.direction !== 'in' || entry.opcode !== Opcode.FRAME) return undefined;
  const { cmd, args, evt } = objectIn(entry.text);
  // A foreign recorded file may have any name: one that begins with "-" would be an option.
  if (typeof cmd !== 'string' || !/^[^-]/.test(cmd)) return undefined;
  const words = ['footbridge', 'call', shellWord(cmd)];
  if (args !== undefined && args !== null) words.push(shellWord(printExact(args)));
  if (typeof evt === 'string') words.push(...option('--evt', evt));
  const scopes = answer?.kind === 'frame' ? scopesNeeded(answer.text) : undefined;
  if (scopes !== undefined) words.push('--scopes', scopes);
  if (application !== undefined) words.push(...option('--client-id', application));
  // A control character could end a paste into a terminal.
  return printable(words.join(' '));
}

/** An option with its value, which may begin with "-". */
function option(name: string, value: string): readonly string[] {
  return value.startsWith('-') ? [shellWord(`${name}=${value}`)] : [name, shellWord(value)];
}

/** Scopes of which one answer says that they are missing: all of them, or the first of several that would do. */
function scopesNeeded(text: string): string | undefined {
  const { message } = Object(objectIn(text)['data']) as { readonly message?: unknown };
  const [, needed] = (typeof message === 'string' && NEEDED.exec(message)) || [];
  return needed?.includes(' and ') ? needed.split(' and ').join(',') : needed?.split(' or ')[0];
}

/** Difference between a copy of a request and the request; undefined where the journal knows of none. */
export function lackOf(entry: JournalEntry): string | undefined {
  const body = entry.kind === 'http' ? entry.request.body : 'text' in entry ? entry.text : undefined;
  if (entry.kind === 'http' && entry.request.bytes > 0 && (body === undefined || isNote(body)))
    return 'The copy has no body, because the journal did not keep it.';
  const hidden = body === undefined ? undefined : hiddenIn(body);
  if (hidden === undefined && !(entry.kind === 'http' && entry.path.includes(HIDDEN))) return undefined;
  return `The copy has ${hidden ?? HIDDEN} where the journal hides a value: write yours there.`;
}

/** First text in JSON that stands for a hidden value; undefined where there is none. */
function hiddenIn(json: string): string | undefined {
  let found: string | undefined;
  try {
    JSON.parse(json, (_key, value: unknown) => {
      if (found === undefined && isHiddenText(value)) found = value;
      return value;
    });
  } catch {
    // A text without JSON is a note of the journal.
  }
  return found;
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
