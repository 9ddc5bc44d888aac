import * as z from 'zod';
import { withIssueText } from '../base/issue-text.ts';
import { ENTRY_KINDS, type EntryKind } from '../journal/entry.ts';

const DIRECTION = z.enum(['in', 'out']);
/** Valid characters of a header value (RFC 9110, 5.5); Node refuses to send any other character. */
const HEADER = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be text that a header can hold');
const PART = z.looseObject({
  headers: z.record(z.string(), HEADER),
  body: z.string().optional(),
  bytes: z.number(),
});

/** Members that a replay needs, by kind of entry. A kind that is not replayed needs only its discriminator. */
const SHAPES = {
  connect: z.looseObject({ session: z.string(), over: z.string() }),
  frame: z.looseObject({
    session: z.string(),
    direction: DIRECTION,
    opcode: z.int().min(0).max(0xffff_ffff),
    text: z.string(),
  }),
  close: z.looseObject({ session: z.string(), code: z.number(), message: z.string() }),
  broken: z.looseObject({ session: z.string(), message: z.string() }),
  warning: z.looseObject({ session: z.string(), message: z.string() }),
  refused: z.looseObject({ over: z.string(), why: z.string(), remedy: z.string() }),
  end: z.looseObject({ session: z.string() }),
  http: z.looseObject({
    method: z.string().regex(/^[A-Z]{1,20}$/, 'must be a method in capital letters'),
    path: z.string(),
    status: z.int().min(100).max(599),
    request: PART,
    response: PART,
  }),
  gateway: z.looseObject({ session: z.string(), direction: DIRECTION, text: z.string() }),
  webhook: z.looseObject({ application: z.string(), type: z.string(), url: z.string() }),
  fault: z.looseObject({ fault: z.string(), what: z.string() }),
  missing: z.looseObject({ what: z.string(), times: z.number() }),
} as const satisfies Readonly<Record<EntryKind, z.ZodType>>;

const COMMON = z.looseObject({ seq: z.number(), at: z.number() });

/**
 * Describes the problem of an entry as a suffix of "the line": `has no kind that is known`, `has no session`. Returns
 * undefined for a valid entry. A record from another party may contain any text.
 */
export function problemOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const kind = ENTRY_KINDS.find((one) => one === value['kind']);
  if (kind === undefined) return 'has no kind that is known';
  const issue =
    COMMON.safeParse(value, withIssueText()).error?.issues[0] ??
    SHAPES[kind].safeParse(value, withIssueText()).error?.issues[0];
  if (issue === undefined) return undefined;
  const keyPath = issue.path.map(String).join('.').slice(0, 100);
  return memberAt(value, issue.path) === undefined
    ? `has no ${keyPath}`
    : `has a wrong ${keyPath}: ${issue.message}`;
}

function memberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );
}
