import { ENTRY_KINDS, type EntryKind } from './entry.ts';

/** Returns what is wrong with a value, such as `must be a text`; undefined for a valid value. */
type Check = (value: unknown) => string | undefined;
interface Shape {
  readonly [name: string]: Check | Shape;
}

const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text');
const number: Check = (value) => (Number.isFinite(value) ? undefined : 'must be a number');
const direction: Check = (value) => (value === 'in' || value === 'out' ? undefined : 'must be "in" or "out"');
const method: Check = (value) =>
  typeof value === 'string' && /^[A-Z]{1,20}$/.test(value)
    ? undefined
    : 'must be a method in capital letters';
const optionalText: Check = (value) => (value === undefined ? undefined : text(value));
/** A time of which a calendar has a day (ECMA-262, 21.4.1.1). */
const time: Check = (value) =>
  typeof value === 'number' && Math.abs(value) <= 8.64e15 ? undefined : 'must be a time';

/** Valid characters of a header value (RFC 9110, 5.5); Node refuses to send any other character. */
const HEADER = /^[\t\x20-\x7e\x80-\xff]*$/;

function whole(min: number, max: number): Check {
  return (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}`;
}

const PART: Shape = { headers: {}, body: optionalText, bytes: number };

/** Members that a replay needs, by kind of entry. A kind that is not replayed needs only its discriminator. */
const SHAPES: Readonly<Record<EntryKind, Shape>> = {
  connect: { session: text, over: text },
  frame: { session: text, direction, opcode: whole(0, 0xffff_ffff), text },
  close: { session: text, code: number, message: text },
  broken: { session: text, message: text },
  warning: { session: text, message: text },
  refused: { over: text, why: text, remedy: text },
  end: { session: text },
  http: { method, path: text, status: whole(100, 599), request: PART, response: PART },
  gateway: { session: text, direction, text },
  webhook: { application: text, type: text, url: text },
  fault: { fault: text, what: text },
  missing: { what: text, times: number },
  violation: { rule: text, what: text, where: text },
  clock: { from: text, to: text },
};

const COMMON: Shape = { seq: number, at: time };

/**
 * Describes the problem of an entry as a suffix of "the line": `has no kind that is known`, `has no session`. Returns
 * undefined for a valid entry. A record from another party may contain any text.
 */
export function problemOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const kind = ENTRY_KINDS.find((one) => one === value['kind']);
  if (kind === undefined) return 'has no kind that is known';
  return problemIn(value, COMMON, '') ?? problemIn(value, SHAPES[kind], '');
}

function problemIn(value: Readonly<Record<string, unknown>>, shape: Shape, path: string): string | undefined {
  for (const [name, wanted] of Object.entries(shape)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const place = path + name;
    if (typeof wanted === 'function') {
      const problem = wanted(member);
      if (problem !== undefined)
        return member === undefined ? `has no ${place}` : `has a wrong ${place}: ${problem}`;
      continue;
    }
    if (member === undefined) return `has no ${place}`;
    if (typeof member !== 'object' || member === null || Array.isArray(member))
      return `has a wrong ${place}: must be an object`;
    const problem =
      name === 'headers' ? headerProblem(member, place) : problemIn({ ...member }, wanted, `${place}.`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function headerProblem(headers: object, place: string): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    const at = `${place}.${name}`.slice(0, 100);
    if (typeof value !== 'string') return `has a wrong ${at}: must be a text`;
    if (!HEADER.test(value)) return `has a wrong ${at}: must be text that a header can hold`;
  }
  return undefined;
}
