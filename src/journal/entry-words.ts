import { parseLargeAsText } from '../base/exact-json.ts';
import type { Style } from '../base/style.ts';
import { printable } from '../base/text.ts';
import type { JournalEntry } from './entry.ts';
import { ARROWS, frameWords, word } from './frame-words.ts';
import { describeRefusal } from './refusal-text.ts';

/** As many characters of a session's id as `footbridge status` shows. */
const ID_CHARACTERS = 8;
/** An address is a line at most. */
const MAX_PATH = 200;

/** One line for an entry: when, whose, and what in words. Nothing in it steers a terminal. */
export function entryLine(entry: JournalEntry, style: Style): string {
  const whose = 'session' in entry && entry.session !== undefined ? entry.session : entry.kind;
  const cells = [
    style.faint(clockTime(entry.at)),
    printable(whose.slice(0, ID_CHARACTERS)).padEnd(ID_CHARACTERS),
  ];
  return `${cells.join('  ')}  ${entryWords(entry, style)}\n`;
}

function entryWords(entry: JournalEntry, style: Style): string {
  switch (entry.kind) {
    case 'connect': {
      const pid = entry.pid === undefined ? '' : `, pid ${entry.pid}`;
      return style.faint(`${ARROWS.in} connects over ${entry.over}${pid}`);
    }
    case 'frame':
      return arrowed(entry.direction, frameWords(entry.opcode, objectIn(entry.text), entry.direction), style);
    case 'gateway':
      return arrowed(entry.direction, gatewayWords(objectIn(entry.text)), style);
    case 'close':
      return style.warn(`${ARROWS.out} CLOSE ${entry.code} ${printable(entry.message)}`);
    case 'broken':
      return style.bad(`${ARROWS.in} broken: ${printable(entry.message)}`);
    case 'warning':
      return style.warn(`${ARROWS.in} warning: ${printable(entry.message)}`);
    case 'refused':
      return style.warn(`${ARROWS.in} refused: ${describeRefusal(entry)}; to do: ${printable(entry.remedy)}`);
    case 'end':
      return style.faint(`${ARROWS.in} end of the connection`);
    case 'http': {
      const { method, path, status, ms } = entry;
      const text = `${word(method)} ${printable(path.slice(0, MAX_PATH))} ${status} in ${milliseconds(ms)}`;
      return status >= 400 ? style.bad(text) : text;
    }
    case 'webhook': {
      const { type, url, ms, outcome } = entry;
      const told = `${word(type)} to ${printable(url.slice(0, MAX_PATH))}`;
      if (outcome.kind === 'failed') return style.bad(`${told}: ${printable(outcome.reason)}`);
      const text = `${told} ${outcome.status} in ${milliseconds(ms)}`;
      return outcome.status >= 400 ? style.bad(text) : text;
    }
    case 'fault':
      return style.warn(`fault ${printable(entry.fault)}: ${printable(entry.what)}`);
  }
}

function arrowed(direction: 'in' | 'out', words: string, style: Style): string {
  const text = `${ARROWS[direction]} ${words}`;
  return / ERROR /.test(text) ? style.bad(text) : text;
}

function gatewayWords({ op, t }: Readonly<Record<string, unknown>>): string {
  return t === null || t === undefined ? `op ${word(op)}` : `op ${word(op)} ${word(t)}`;
}

/** The object that a text holds; an empty one where it holds none. */
function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseLargeAsText(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** `14:03:07.042`, of the person's day. */
function clockTime(at: number): string {
  const time = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${parts}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
