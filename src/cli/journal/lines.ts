import { printable } from '../../../platform/text.ts';
import type { Style } from '../../daemon/style.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { Opcode } from '../../wire/codes.ts';

const OPCODE_NAMES = new Map<number, string>(Object.entries(Opcode).map(([name, value]) => [value, name]));
/** A line of a terminal is not much longer. */
const MOST_SHOWN = 100;

/** One entry as a line for people: when, whose, which way, what. */
export function lineOf(entry: JournalEntry, style: Style): string {
  const time = new Date(entry.at).toISOString().slice(11, 23);
  const { who, arrow, what, isBad } = partsOf(entry);
  const text = `${arrow} ${printable(what)}`;
  return `${style.faint(time)}  ${printable(who).padEnd(8)}  ${isBad === true ? style.warn(text) : text}\n`;
}

interface Parts {
  readonly who: string;
  readonly arrow: '->' | '<-' | '--' | '!!';
  readonly what: string;
  readonly isBad?: boolean;
}

function partsOf(entry: JournalEntry): Parts {
  switch (entry.kind) {
    case 'connect': {
      const pid = entry.pid === undefined ? '' : `, pid ${entry.pid}`;
      return { who: short(entry.session), arrow: '--', what: `connected over ${entry.over}${pid}` };
    }
    case 'frame':
      return { who: short(entry.session), arrow: arrowOf(entry), ...frameText(entry) };
    case 'close': {
      const what = `CLOSE ${entry.code} ${entry.message}`;
      return { who: short(entry.session), arrow: '<-', what, isBad: true };
    }
    case 'broken':
      return { who: short(entry.session), arrow: '->', what: `broken: ${entry.message}`, isBad: true };
    case 'end':
      return { who: short(entry.session), arrow: '--', what: 'gone' };
    case 'http': {
      const what = `${entry.method} ${entry.path} ${entry.status} ${entry.ms.toFixed(1)} ms`;
      return { who: 'http', arrow: '<-', what, isBad: entry.status >= 400 };
    }
    case 'gateway':
      return { who: short(entry.session), arrow: arrowOf(entry), what: gatewayText(entry.text) };
    case 'webhook': {
      const { outcome } = entry;
      const came = outcome.kind === 'answered' ? String(outcome.status) : outcome.reason;
      const isBad = outcome.kind === 'failed' || outcome.status >= 400;
      return { who: 'webhook', arrow: '<-', what: `${entry.type} to ${entry.url}: ${came}`, isBad };
    }
    case 'fault':
      return {
        who: entry.session === undefined ? 'fault' : short(entry.session),
        arrow: '!!',
        what: `${entry.fault}: ${entry.what}`,
        isBad: true,
      };
  }
}

function short(session: string): string {
  return session.slice(0, 8);
}

function arrowOf({ direction }: { readonly direction: 'in' | 'out' }): '->' | '<-' {
  return direction === 'in' ? '->' : '<-';
}

function frameText({
  opcode,
  text,
}: {
  readonly opcode: number;
  readonly text: string;
}): Pick<Parts, 'what' | 'isBad'> {
  const name = OPCODE_NAMES.get(opcode) ?? `opcode ${opcode}`;
  const body = objectIn(text);
  if (body === undefined) return { what: `${name} ${cut(text)}` };
  if (name !== 'FRAME') return { what: `${name} ${cut(JSON.stringify(body))}` };
  const { cmd, evt, nonce, args, data } = body;
  const words = [String(cmd)];
  if (typeof evt === 'string') words.push(evt);
  if (typeof nonce === 'string' || typeof nonce === 'number') words.push(`#${String(nonce).slice(0, 8)}`);
  const rest = data ?? args;
  if (rest !== undefined && rest !== null) words.push(cut(JSON.stringify(rest)));
  return { what: words.join(' '), isBad: evt === 'ERROR' };
}

function gatewayText(text: string): string {
  const { op, t, s, d } = objectIn(text) ?? {};
  const words = [`op ${String(op)}`];
  if (typeof t === 'string') words.push(`${t} #${String(s)}`);
  if (d !== undefined && d !== null) words.push(cut(JSON.stringify(d)));
  return words.join(' ');
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
