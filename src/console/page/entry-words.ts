import { parseLargeAsText } from '../../base/exact-json.ts';
import type { JournalEntry, PageRefusal } from '../../journal/entry.ts';

/** One entry as a row: whose it is, which way it went, what it says, and whether it is a failure. */
export interface EntryWords {
  readonly who: string;
  readonly arrow: string;
  readonly name: string;
  readonly rest: string;
  readonly isBad: boolean;
}

/** Of a close that was asked for. */
const NORMAL = 1000;
const OPCODES = ['HANDSHAKE', 'FRAME', 'CLOSE', 'PING', 'PONG'];

/** The words of an entry. Texts in it came from apps: they are shown as texts, and nothing else. */
export function wordsOf(entry: JournalEntry): EntryWords {
  switch (entry.kind) {
    case 'connect': {
      const pid = entry.pid === undefined ? '' : `pid ${entry.pid}`;
      return words(short(entry.session), '', `connected over ${entry.over}`, pid);
    }
    case 'frame':
      return frameWords(entry);
    case 'gateway': {
      const { op, t, d } = objectIn(entry.text);
      return words(
        entry.session,
        arrowOf(entry.direction),
        typeof t === 'string' ? t : `op ${String(op)}`,
        shortJson(d),
      );
    }
    case 'http':
      return words(
        'http',
        '←',
        `${entry.method} ${entry.path}`,
        `${entry.status} in ${entry.ms.toFixed(1)} ms`,
        entry.status >= 400,
      );
    case 'webhook': {
      const { outcome } = entry;
      const came = outcome.kind === 'answered' ? String(outcome.status) : outcome.reason;
      return words(
        'webhook',
        '→',
        entry.type,
        `${came} from ${entry.url}`,
        outcome.kind === 'failed' || outcome.status >= 400,
      );
    }
    case 'fault':
      return words(
        entry.session === undefined ? 'fault' : short(entry.session),
        '⚡',
        `fault ${entry.fault}`,
        entry.what,
        true,
      );
    case 'close':
      return words(short(entry.session), '←', `CLOSE ${entry.code}`, entry.message, entry.code !== NORMAL);
    case 'broken':
      return words(short(entry.session), '→', 'broken', entry.message, true);
    case 'warning':
      return words(short(entry.session), '→', 'warning', entry.message, true);
    case 'refused':
      return words(
        'refused',
        '→',
        entry.origin ?? 'no Origin',
        `for ${applicationText(entry)} over ${entry.over} (${entry.why}); to do: ${entry.remedy}`,
        true,
      );
    case 'end':
      return words(short(entry.session), '', 'gone', '');
  }
}

/** Name and id of an application, as far as they are known. */
export function applicationText({
  application,
  clientId,
}: Pick<PageRefusal, 'application' | 'clientId'>): string {
  if (clientId === null) return 'an unknown application';
  return application === null ? `application ${clientId}` : `${application} (${clientId})`;
}

function frameWords(entry: Extract<JournalEntry, { readonly kind: 'frame' }>): EntryWords {
  const who = short(entry.session);
  const arrow = arrowOf(entry.direction);
  const body = objectIn(entry.text);
  const opcode = OPCODES[entry.opcode] ?? `opcode ${entry.opcode}`;
  if (opcode !== 'FRAME') return words(who, arrow, opcode, shortJson(body));
  const { cmd, evt, args, data } = body;
  const name = cmd === 'DISPATCH' && typeof evt === 'string' ? evt : String(cmd);
  const isEventOf = cmd !== 'DISPATCH' && typeof evt === 'string' && evt !== 'ERROR' ? `${evt} ` : '';
  return words(who, arrow, name, `${isEventOf}${shortJson(data ?? args)}`, evt === 'ERROR');
}

function words(who: string, arrow: string, name: string, rest: string, isBad = false): EntryWords {
  return { who, arrow, name, rest, isBad };
}

/** What of an id is shown. */
export function short(session: string): string {
  return session.slice(0, 8);
}

function arrowOf(direction: 'in' | 'out'): string {
  return direction === 'in' ? '→' : '←';
}

function shortJson(value: unknown): string {
  const text = value === undefined || value === null ? '' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** A text of JSON as an object; empty where it is none. */
function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseLargeAsText(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Everything of an entry as one value, with the texts of JSON in it read. */
export function wholeOf(entry: JournalEntry): unknown {
  const read = (text: string): unknown => {
    try {
      return parseLargeAsText(text);
    } catch {
      return text;
    }
  };
  if (entry.kind === 'http') {
    const { request, response } = entry;
    return {
      ...entry,
      request: { ...request, ...(request.body === undefined ? {} : { body: read(request.body) }) },
      response: { ...response, ...(response.body === undefined ? {} : { body: read(response.body) }) },
    };
  }
  return 'text' in entry ? { ...entry, text: read(entry.text) } : entry;
}

/** The time of day of an entry, with milliseconds. */
export function timeOf({ at }: Pick<JournalEntry, 'at'>): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** What a search looks through. */
export function textOf(entry: JournalEntry): string {
  const { who, name, rest } = wordsOf(entry);
  const body =
    'text' in entry
      ? entry.text
      : entry.kind === 'http'
        ? `${entry.request.body ?? ''} ${entry.response.body ?? ''}`
        : '';
  return `${who} ${name} ${rest} ${body}`.toLowerCase();
}
