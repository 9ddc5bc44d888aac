import { parseExact } from '../base/exact-json.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { Opcode } from '../wire/codes.ts';
import { STREAM_NOTICE } from '../wire/streams.ts';

/** One message of the app or of the server, with its direction and time. */
export interface Step {
  readonly direction: 'in' | 'out';
  readonly opcode: number;
  /** Content of the message; a text when the content is not JSON. */
  readonly payload: unknown;
  /** Milliseconds since the previous step of this connection. */
  readonly afterMs: number;
  /** Whether the bridge ended the connection with this message. */
  readonly closes: boolean;
}

/** All messages of one recorded connection, in order. */
export interface Script {
  /** Number of the connection in the record, from 1. */
  readonly number: number;
  readonly steps: readonly Step[];
}

type Of<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>;

/** Returns the scripts of the apps in a record, in the order in which the apps connected. */
export function scriptsIn(entries: readonly JournalEntry[]): readonly Script[] {
  const scripts = new Map<string, { readonly steps: Step[]; last: number }>();
  for (const entry of withoutNotices(entries)) {
    if (entry.kind === 'connect' && entry.over !== 'gateway')
      scripts.set(entry.session, { steps: [], last: entry.at });
    if (entry.kind !== 'frame' && entry.kind !== 'close') continue;
    const script = scripts.get(entry.session);
    if (script === undefined) continue;
    script.steps.push(stepOf(entry, entry.at - script.last));
    script.last = entry.at;
  }
  return [...scripts.values()].map(({ steps }, index) => ({ number: index + 1, steps }));
}

/**
 * Returns a record without the PINGs with which an app said that it reads streams, and without their PONGs. Whether a
 * server waits for each frame to be read depends on the versions of two programs, and a replay has its own pace.
 */
export function withoutNotices(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.filter(
    (entry) =>
      entry.kind !== 'frame' ||
      (entry.opcode !== Opcode.PING && entry.opcode !== Opcode.PONG) ||
      entry.text !== STREAM_NOTICE,
  );
}

/** Returns the content of a message; READY without its offer to send frames without waiting (see {@link withoutNotices}). */
export function withoutOffer(payload: unknown): unknown {
  const { evt, data } = objectOf(payload);
  if (evt !== 'READY') return payload;
  const { footbridge: _, ...rest } = objectOf(data);
  return { ...objectOf(payload), data: rest };
}

/** The HTTP exchanges of a record. */
export function exchangesIn(entries: readonly JournalEntry[]): readonly Of<'http'>[] {
  return entries.filter((entry) => entry.kind === 'http');
}

function stepOf(entry: Of<'frame'> | Of<'close'>, afterMs: number): Step {
  if (entry.kind === 'close') {
    const payload = { code: entry.code, message: entry.message };
    return { direction: 'out', opcode: Opcode.CLOSE, payload, afterMs, closes: true };
  }
  const { direction, opcode, text } = entry;
  return { direction, opcode, payload: withoutOffer(valueIn(text)), afterMs, closes: false };
}

/**
 * Maximum depth of a parsed payload: no payload of a server nests deeper, and the recursion stays far below the stack
 * limit.
 */
const MAX_LEVELS = 100;

/** Parses a JSON text. Returns the text itself when it is not JSON or when its value nests too deep to compare. */
export function valueIn(text: string): unknown {
  try {
    const value = parseExact(text);
    return isWithin(value, MAX_LEVELS) ? value : text;
  } catch {
    return text;
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1));
}

/** A short name of a step: `GET_GUILDS`, `READY`, `CLOSE`. */
export function nameOf({ opcode, payload }: Pick<Step, 'opcode' | 'payload'>): string {
  if (opcode !== Opcode.FRAME)
    return Object.entries(Opcode).find(([, value]) => value === opcode)?.[0] ?? `opcode ${opcode}`;
  const { cmd, evt } = objectOf(payload);
  return cmd === 'DISPATCH' || cmd === 'SUBSCRIBE' || cmd === 'UNSUBSCRIBE'
    ? `${String(cmd)} ${String(evt)}`
    : String(cmd);
}

/** Returns the members of a payload; an empty object for a value that is not an object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
