import { printExact } from '../base/exact-json.ts';
import { standsFor } from '../journal/declared.ts';

/** One member that differs: its path, its recorded and its actual value; undefined for an absent one. */
export interface Difference {
  readonly at: string;
  readonly was: unknown;
  readonly is: unknown;
}

/** Something that was not as it was recorded. */
export interface Mismatch {
  /** Subject: `session 1: GET_GUILDS from the app`. */
  readonly what: string;
  readonly differences: readonly Difference[];
}

/**
 * Members that differ between any two runs: process ids, nonces, times, values by which an app guards its login, and
 * replacements of secrets.
 */
const OWN_TO_A_RUN: ReadonlySet<string> = new Set([
  'nonce',
  'pid',
  'timestamps',
  'timestamp',
  'created_at',
  'expires',
  'expires_in',
  'code_challenge',
  'session_id',
  'resume_gateway_url',
  'instance_id',
]);

const HIDDEN = '[hidden]';
/** Deeper than any payload that is served. */
const MAX_LEVELS = 64;

/** The same of AUTHORIZE, whose `state` is new each time; states of other payloads have a meaning. */
const OWN_TO_A_LOGIN: ReadonlySet<string> = new Set(['args.state', 'data.state']);

/** How one payload differs from a recorded one; see {@link differences}. */
export function payloadDifferences(was: unknown, is: unknown): readonly Difference[] {
  const all = differences(was, is);
  const isLogin = typeof was === 'object' && was !== null && member(was, 'cmd') === 'AUTHORIZE';
  return isLogin ? all.filter(({ at }) => !OWN_TO_A_LOGIN.has(at)) : all;
}

/**
 * Differences of a value from a recorded one. The order of keys makes no difference, nor do members that differ
 * between any two runs.
 */
function differences(was: unknown, is: unknown, at = '', levels = MAX_LEVELS): readonly Difference[] {
  if ((was === HIDDEN && typeof is === 'string') || standsFor(was, is)) return [];
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null || levels === 0) {
    return Object.is(was, is) ? [] : [{ at, was, is }];
  }
  if (Array.isArray(was) !== Array.isArray(is)) return [{ at, was, is }];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys
    .filter((key) => Array.isArray(was) || !OWN_TO_A_RUN.has(key))
    .flatMap((key) =>
      differences(member(was, key), member(is, key), at === '' ? key : `${at}.${key}`, levels - 1),
    );
}

function member(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** Mismatches as a readable diff: a heading each, `-` before the recorded line and `+` before the actual one. */
export function diffText(mismatches: readonly Mismatch[]): string {
  return mismatches
    .map(({ what, differences: all }) =>
      [
        `@@ ${what} @@`,
        ...all.flatMap(({ at, was, is }) => [
          ...(was === undefined ? [] : [`-${nameOf(at)}${quoted(was)}`]),
          ...(is === undefined ? [] : [`+${nameOf(at)}${quoted(is)}`]),
        ]),
        '',
      ].join('\n'),
    )
    .join('');
}

function nameOf(at: string): string {
  return at === '' ? '' : `${at}: `;
}

const MAX_QUOTED_CHARACTERS = 400;

function quoted(value: unknown): string {
  const text = printExact(value) ?? String(value);
  return text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
}
