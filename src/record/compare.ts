import { printExact } from '../base/exact-json.ts';
import { standsFor } from '../journal/declared.ts';

/**
 * One member that differs: its path, its recorded value (`was`) and its actual value (`is`). A value is undefined when
 * the member is absent.
 */
export interface Difference {
  readonly at: string;
  readonly was: unknown;
  readonly is: unknown;
}

/** A message or request that differs from the record. */
export interface Mismatch {
  /** The message or request that differs, such as `session 1: GET_GUILDS from the app`. */
  readonly what: string;
  readonly differences: readonly Difference[];
}

/**
 * Members that differ between any two runs: process ids, nonces, times, values with which an app guards its login, and
 * values derived from secrets.
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
/** Maximum depth of the comparison; no payload of a server nests deeper. */
const MAX_LEVELS = 64;

/**
 * Members of AUTHORIZE that differ between any two runs: each login has a new `state`. In other payloads `state` has a
 * meaning, so it is compared.
 */
const OWN_TO_A_LOGIN: ReadonlySet<string> = new Set(['args.state', 'data.state']);

/** Returns the differences of a payload from the recorded payload; see {@link differences}. */
export function payloadDifferences(was: unknown, is: unknown): readonly Difference[] {
  const all = differences(was, is);
  const isLogin = typeof was === 'object' && was !== null && member(was, 'cmd') === 'AUTHORIZE';
  return isLogin ? all.filter(({ at }) => !OWN_TO_A_LOGIN.has(at)) : all;
}

/**
 * Returns the differences of a value from the recorded value. Ignores the order of keys and members that differ between
 * any two runs.
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

/**
 * Formats mismatches as a readable diff: one heading per mismatch, then `-` before each recorded value and `+` before
 * each actual value.
 */
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
