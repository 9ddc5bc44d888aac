import { parseLargeAsText } from '../base/exact-json.ts';
import type { Style } from '../base/style.ts';
import { printable } from '../base/text.ts';
import { Opcode } from '../wire/codes.ts';
import type { Direction, JournalEntry, PageRefusal } from './entry.ts';

/** Number of characters of a session's id in the output of `footbridge status`. */
const ID_CHARACTERS = 8;
/** An address is a line at most. */
const MAX_ADDRESS = 200;
/** Maximum length of a name or a nonce (characters). Nonces are usually UUIDs; a longer one is cut. */
const MAX_WORD = 64;
/** Maximum length of a JSON value beside a label (characters). */
const MAX_VALUE = 160;
/** Code of a normal close. */
const NORMAL = 1000;

/** Arrows in the terminal for directions as seen from the bridge. */
const ARROWS = { in: '->', out: '<-' } as const;
const OPCODES: ReadonlyMap<number, string> = new Map(
  Object.entries(Opcode).map(([name, value]) => [value, name]),
);

/** One entry as readable text. Every text in it is safe for a terminal. */
export interface EntryDescription {
  /** Beginning of the session's id, or the kind of an entry without a session. */
  readonly who: string;
  /** Direction of a message; undefined for an entry that has no single direction. */
  readonly direction: Direction | undefined;
  /** The whole entry in one line: names, nonces and codes, without arguments and data. */
  readonly text: string;
  /** Subject of the entry for a list with columns: a command, an event, or a route. */
  readonly label: string;
  /** Text beside the label in such a list, with the beginning of the entry's arguments or data. */
  readonly detail: string;
  readonly tone: 'plain' | 'quiet' | 'warning' | 'failure';
}

type Of<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>;
type Fields = Readonly<Record<string, unknown>>;
/** A description without `who`. The label and the detail default to `text`. */
type Partly = Pick<EntryDescription, 'text'> & Partial<EntryDescription>;

/** Describes an entry, both for the terminal and for the console. */
export function describe(entry: JournalEntry): EntryDescription {
  const who = 'session' in entry && entry.session !== undefined ? shortId(entry.session) : entry.kind;
  const partly = partlyOf(entry);
  const { label = partly.text, detail = '' } = partly;
  return { who, direction: undefined, tone: 'plain', ...partly, label, detail };
}

/** One line of a terminal for an entry: time, session and text. */
export function describedLine(entry: JournalEntry, style: Style): string {
  const { who, direction, text, tone } = describe(entry);
  const arrowed = direction === undefined ? text : `${ARROWS[direction]} ${text}`;
  const cells = [style.faint(timeOfDay(entry.at)), who.padEnd(ID_CHARACTERS), styled(arrowed, tone, style)];
  return `${cells.join('  ')}\n`;
}

/** The line of an entry without its time and session. */
export function describedText(entry: JournalEntry): string {
  const { direction, text } = describe(entry);
  return direction === undefined ? text : `${ARROWS[direction]} ${text}`;
}

function styled(text: string, tone: EntryDescription['tone'], style: Style): string {
  switch (tone) {
    case 'plain':
      return text;
    case 'quiet':
      return style.faint(text);
    case 'warning':
      return style.warn(text);
    case 'failure':
      return style.bad(text);
  }
}

function partlyOf(entry: JournalEntry): Partly {
  switch (entry.kind) {
    case 'connect': {
      const pid = entry.pid === undefined ? [] : [`pid ${entry.pid}`];
      const entrance = entry.entrance === undefined ? [] : [printable(entry.entrance)];
      const label = `connects over ${entry.over}`;
      const details = [...pid, ...entrance];
      return {
        direction: 'in',
        text: [label, ...details].join(', '),
        label,
        detail: details.join(', '),
        tone: 'quiet',
      };
    }
    case 'frame':
      return frameOf(entry);
    case 'gateway': {
      const { op, t, d } = objectIn(entry.text);
      const isEvent = t !== null && t !== undefined;
      const text = isEvent ? `op ${word(op)} ${word(t)}` : `op ${word(op)}`;
      return {
        direction: entry.direction,
        text,
        label: isEvent ? word(t) : text,
        detail: valueText(d),
      };
    }
    case 'close': {
      const [label, detail] = [`CLOSE ${entry.code}`, printable(entry.message)];
      const tone = entry.code === NORMAL ? 'quiet' : 'warning';
      return { direction: 'out', text: `${label} ${detail}`, label, detail, tone };
    }
    case 'broken':
      return named('broken', entry.message, 'failure');
    case 'warning':
      return named('warning', entry.message, 'warning');
    case 'refused': {
      const detail = `${describeRefusal(entry)}; to do: ${printable(entry.remedy)}`;
      return { ...named('refused', detail, 'warning'), label: 'refused' };
    }
    case 'end':
      return { direction: 'in', text: 'end of the connection', tone: 'quiet' };
    case 'http': {
      const { method, path, status, ms } = entry;
      const label = `${word(method)} ${printable(path.slice(0, MAX_ADDRESS))}`;
      const detail = `${status} in ${milliseconds(ms)}`;
      return { text: `${label} ${detail}`, label, detail, tone: toneOf(status) };
    }
    case 'webhook':
      return webhookOf(entry);
    case 'fault':
      return named(`fault ${printable(entry.fault)}`, entry.what, 'warning', 'none');
    case 'missing': {
      const times = entry.times === 1 ? '' : ` (${entry.times} times)`;
      return named('not offered, answered 501', `${entry.what}${times}`, 'warning', 'none');
    }
    case 'violation': {
      const detail = `${entry.what}, at ${entry.where}`;
      return named(`strict: ${printable(entry.rule)}`, detail, 'failure', 'none');
    }
    case 'clock': {
      const to = printable(entry.to);
      const detail = entry.from === entry.to ? to : `${printable(entry.from)} to ${to}`;
      return named(entry.frozen ? 'clock, standing' : 'clock', detail, 'quiet', 'none');
    }
  }
}

function named(
  label: string,
  detail: string,
  tone: EntryDescription['tone'],
  direction: Direction | 'none' = 'in',
): Partly {
  const visible = printable(detail);
  const arrow = direction === 'none' ? {} : { direction };
  return { ...arrow, text: `${label}: ${visible}`, label, detail: visible, tone };
}

function webhookOf({ type, url, ms, outcome }: Of<'webhook'>): Partly {
  const address = printable(url.slice(0, MAX_ADDRESS));
  const label = word(type);
  if (outcome.kind === 'failed') {
    const reason = printable(outcome.reason);
    const text = `${label} to ${address}: ${reason}`;
    return { text, label, detail: `${reason} from ${address}`, tone: 'failure' };
  }
  const { status } = outcome;
  return {
    text: `${label} to ${address} ${status} in ${milliseconds(ms)}`,
    label,
    detail: `${status} from ${address}`,
    tone: toneOf(status),
  };
}

function frameOf({ opcode, text, direction }: Of<'frame'>): Partly {
  const body = objectIn(text);
  const name = OPCODES.get(opcode) ?? `opcode ${opcode}`;
  switch (opcode) {
    case Opcode.HANDSHAKE:
      return {
        direction,
        text: `${name} client_id=${word(body['client_id'])}`,
        label: name,
        detail: valueText(body),
      };
    case Opcode.CLOSE:
      return { direction, text: `${name} ${word(body['code'])}`, label: name, detail: valueText(body) };
    case Opcode.FRAME:
      return payloadOf(body, direction);
    default:
      return { direction, text: name };
  }
}

function payloadOf({ cmd, evt, nonce, data, args }: Fields, direction: Direction): Partly {
  const isError = evt === 'ERROR';
  const event = evt !== null && evt !== undefined && !isError ? word(evt) : undefined;
  const parts = [word(cmd)];
  if (event !== undefined) parts.push(`evt=${event}`);
  if (nonce !== null && nonce !== undefined) parts.push(`nonce=${word(nonce)}`);
  if (direction === 'out' && nonce !== null) parts.push(isError ? `ERROR ${word(codeOf(data))}` : 'ok');
  const isDispatch = cmd === 'DISPATCH' && event !== undefined;
  const values = [isDispatch ? undefined : event, valueText(data ?? args)];
  return {
    direction,
    text: parts.join(' '),
    label: isDispatch ? event : word(cmd),
    detail: values.filter((value) => value !== undefined && value !== '').join(' '),
    tone: isError ? 'failure' : 'plain',
  };
}

function codeOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null ? Reflect.get(data, 'code') : undefined;
}

/** The visible part of a session's id. */
export function shortId(session: string): string {
  return printable(session.slice(0, ID_CHARACTERS));
}

/** Time of day in the reader's time zone, such as `14:03:07.042`. */
export function timeOfDay(at: number): string {
  const time = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${parts}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

/** Facts about a refused page for a text. */
export interface RefusalFacts extends Pick<PageRefusal, 'origin' | 'clientId' | 'application'> {
  readonly over: string;
  readonly why: string;
  readonly count: number;
}

/**
 * Text about a refused page, safe for a terminal, such as `https://a.example for Tunes (300000000000000002) over
 * websocket: origin not allowed, 3 times`.
 */
export function describeRefusal(refusal: RefusalFacts): string {
  const { over, why, origin, count } = refusal;
  const times = count === 1 ? '' : `, ${count} times`;
  const page = origin ?? 'a request without one Origin';
  return printable(`${page} for ${applicationText(refusal)} over ${over}: ${REASONS[why] ?? why}${times}`);
}

/** Name and id of an application, such as `Tunes (300000000000000002)`, as far as they are known. */
export function applicationText({
  application,
  clientId,
}: Pick<RefusalFacts, 'application' | 'clientId'>): string {
  if (clientId === null) return 'an unknown application';
  return application === null ? `application ${clientId}` : `${application} (${clientId})`;
}

const REASONS: Readonly<Record<string, string>> = {
  origin: 'origin not allowed',
  host: 'wrong Host',
  encoding: 'unknown encoding',
  frame: 'HANDSHAKE of another frame',
};

/** A whole entry as one value, in which JSON texts are parsed. */
export function wholeOf(entry: JournalEntry): unknown {
  if (entry.kind !== 'http') return 'text' in entry ? { ...entry, text: valueIn(entry.text) } : entry;
  const [request, response] = [entry.request, entry.response].map((part) =>
    part.body === undefined ? part : { ...part, body: valueIn(part.body) },
  );
  return { ...entry, request, response };
}

/** Text of an entry in lower case, which a search is compared with. */
export function searchTextOf(entry: JournalEntry): string {
  const { who, label, detail } = describe(entry);
  const body = 'text' in entry ? entry.text : '';
  const bodies = entry.kind === 'http' ? `${entry.request.body ?? ''} ${entry.response.body ?? ''}` : body;
  return `${who} ${label} ${detail} ${bodies}`.toLowerCase();
}

function toneOf(status: number): EntryDescription['tone'] {
  return status >= 400 ? 'failure' : 'plain';
}

/** A name, a nonce or a number from a peer; a question mark for any other value. */
function word(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
  return printable(text.slice(0, MAX_WORD));
}

function valueText(value: unknown): string {
  const text = value === undefined || value === null ? '' : printable(JSON.stringify(value));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

/** The parsed value of a JSON text; the text itself if it is not JSON. */
function valueIn(text: string): unknown {
  try {
    return parseLargeAsText(text);
  } catch {
    return text;
  }
}

/** The object in a JSON text; an empty object if the text contains none. */
function objectIn(text: string): Fields {
  const value = valueIn(text);
  return typeof value === 'object' ? { ...value } : {};
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
