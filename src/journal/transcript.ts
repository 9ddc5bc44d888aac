import { amount, printable } from '../base/text.ts';
import { Opcode } from '../wire/codes.ts';
import { describe, describedText } from './describe.ts';
import type { JournalEntry } from './entry.ts';
import { CALLBACK, factsOf, objectIn } from './exchange-facts.ts';
import { callbackText, interactionText } from './interaction-text.ts';
import { factsText, valuesText } from './value-facts.ts';

/** Maximum number of lines, unless the reader wants all. */
const MAX_LINES = 40;
/** Number of characters of the column with the session or the kind. */
const WHO_CHARACTERS = 8;
const MIN_FAILURE_STATUS = 400;

/** How much a transcript shows. */
export interface TranscriptOptions {
  /** All lines, with each heartbeat and each repetition; default: the last 40 lines, folded. */
  readonly full?: boolean;
  /** Maximum number of lines; by default 40, or all with `full`. */
  readonly lines?: number;
}

interface Line {
  readonly at: number;
  readonly who: string;
  readonly text: string;
  /** Lines in a row with the same key are one line. */
  readonly key: string;
  times: number;
}

/** Events that come in rows of which one is enough. */
const FOLDED: ReadonlySet<string> = new Set([
  'GUILD_CREATE',
  'GUILD_MEMBERS_CHUNK',
  'PRESENCE_UPDATE',
  'TYPING_START',
]);

/**
 * A transcript of entries, one line each, in order: what the gateway sent, what bots and apps requested and got,
 * deliveries of webhooks, and faults, with the times of the emulator's clock (UTC). `dropped` is the number of entries
 * before them that are not stored any longer.
 */
export function transcriptText(
  { entries, dropped = 0 }: { readonly entries: readonly JournalEntry[]; readonly dropped?: number },
  { full = false, lines: max = full ? Number.POSITIVE_INFINITY : MAX_LINES }: TranscriptOptions = {},
): string {
  const lines = linesOf(entries, full);
  const printed = lines.slice(Math.max(0, lines.length - max));
  const hidden = lines.length - printed.length;
  const before = [
    ...(dropped > 0 ? [`… ${amount(dropped, 'entry', 'entries')} before`] : []),
    ...(hidden > 0 ? [`… ${amount(hidden, 'line')} before; a full transcript has them`] : []),
  ];
  return [...before, ...printed.map(textOf)].map((line) => `${line}\n`).join('');
}

function linesOf(entries: readonly JournalEntry[], full: boolean): readonly Line[] {
  const timeOf = emulatorTimes(entries);
  const lines: Line[] = [];
  for (const entry of entries) {
    const { name } = factsOf(entry);
    if (!full && isHeartbeat(entry, name)) continue;
    const { who } = describe(entry);
    const text = lineText(entry, name);
    const key = `${who} ${'direction' in entry && FOLDED.has(name) ? name : text}`;
    const last = lines.at(-1);
    if (!full && last?.key === key) last.times += 1;
    else lines.push({ at: timeOf(entry), who, text, key, times: 1 });
  }
  return lines;
}

function textOf({ at, who, text, times }: Line): string {
  const time = new Date(at).toISOString().slice(11, -1);
  const repeated = times === 1 ? '' : ` (${times} times)`;
  return `${time}  ${who.padEnd(WHO_CHARACTERS)}  ${text}${repeated}`;
}

/** Returns a function that returns the time of an entry by the emulator's clock; the entries have the clock's changes. */
function emulatorTimes(entries: readonly JournalEntry[]): (entry: JournalEntry) => number {
  const first = entries.find((entry) => entry.kind === 'clock');
  // Before its first change, the clock ran.
  let [at, time, frozen] = [first?.at ?? 0, first === undefined ? 0 : Date.parse(first.from), false];
  return (entry) => {
    if (entry.kind === 'clock') [at, time, frozen] = [entry.at, Date.parse(entry.to), entry.frozen];
    return frozen ? time : time + (entry.at - at);
  };
}

function isHeartbeat(entry: JournalEntry, name: string): boolean {
  if (entry.kind === 'frame') return entry.opcode === Opcode.PING || entry.opcode === Opcode.PONG;
  return entry.kind === 'gateway' && name.startsWith('HEARTBEAT');
}

function lineText(entry: JournalEntry, name: string): string {
  switch (entry.kind) {
    case 'gateway': {
      const { d } = objectIn(entry.text);
      const arrow = entry.direction === 'in' ? '->' : '<-';
      return joined(`${arrow} ${printable(name)}`, textOfInteraction(name, d) ?? factsText(d));
    }
    case 'frame': {
      const { evt, data, args } = objectIn(entry.text);
      const { code: _, ...rest } = Object(data ?? args) as Readonly<Record<string, unknown>>;
      // The text of an error has its code.
      return joined(describedText(entry), factsText(evt === 'ERROR' ? rest : (data ?? args)));
    }
    case 'http':
      return httpText(entry, name);
    case 'webhook': {
      const { outcome, type } = entry;
      const result = outcome.kind === 'answered' ? String(outcome.status) : printable(outcome.reason);
      const body = objectIn(entry.text);
      const sent = textOfInteraction(type, body) ?? factsText(body['event']);
      return joined(`${printable(type)} to ${printable(entry.url)} ${result}`, sent);
    }
    default:
      return describedText(entry);
  }
}

function textOfInteraction(name: string, value: unknown): string | undefined {
  if (!name.startsWith('INTERACTION')) return undefined;
  const text = interactionText(value);
  return text === undefined ? undefined : printable(text);
}

function httpText(entry: Extract<JournalEntry, { readonly kind: 'http' }>, name: string): string {
  const { method, path, status, request, response } = entry;
  const body = objectIn(request.body ?? '');
  const sent =
    (CALLBACK.test(name) ? callbackText(body) : undefined) ?? (factsText(body) || valuesText(body));
  const got = factsText(objectIn(response.body ?? ''));
  // What a request that succeeded got is mostly what it sent.
  const answer = status >= MIN_FAILURE_STATUS || sent === '' ? got : '';
  return [
    printable(`${method} ${readable(path)} ${status}`),
    ...(sent === '' ? [] : [`sent ${printable(sent)}`]),
    ...(answer === '' ? [] : [`got ${answer}`]),
  ].join(', ');
}

/** A path with its emojis and letters in the place of their escapes. */
function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
