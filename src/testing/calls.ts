import { LocalError } from '../base/local-error.ts';
import { didYouMean } from '../base/nearest.ts';
import { pathBelowApi, unknownRoute } from '../daemon/known-route.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { commands, findCommand } from '../protocol/registry.ts';
import { quoted } from './options.ts';

/** An RPC command such as `GET_GUILDS`, or a route of the platform such as `GET /users/{id}`. */
export type What = string;

/** One request, by an app or over HTTP, with its outcome. */
export interface Call {
  /** Name of the command or route: `GET_GUILDS`, or `GET /users/@me` without the API version and the query. */
  readonly what: string;
  /** Arguments of the command, or body of the HTTP request with the query parameters in `query`. */
  readonly args: unknown;
  /** Number of the request's entry in the journal. */
  readonly seq: number;
  /**
   * Outcome: `waiting` for an RPC request without an answer (the journal records an HTTP request only with its answer).
   * A failure has the code of its error; an HTTP error without a code has its status as code.
   */
  readonly outcome:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'answered'; readonly data: unknown }
    | { readonly kind: 'failed'; readonly code: number; readonly status?: number; readonly data: unknown };
}

const FRAME = 1;
const MIN_FAILURE_STATUS = 400;

/**
 * Returns the requests among journal entries: RPC requests in the order of their arrival, HTTP requests in the order of
 * their answers.
 */
export function callsIn(entries: readonly JournalEntry[]): readonly Call[] {
  const calls: (Call & { outcome: Call['outcome'] })[] = [];
  const open = new Map<string, Call & { outcome: Call['outcome'] }>();
  for (const entry of entries) {
    if (entry.kind === 'http') calls.push(httpCall(entry));
    if (entry.kind !== 'frame' || entry.opcode !== FRAME) continue;
    const { cmd, nonce, evt, args, data } = objectIn(entry.text);
    if (typeof cmd !== 'string' || nonce === null || nonce === undefined) continue;
    const key = `${entry.session} ${JSON.stringify(nonce)}`;
    if (entry.direction === 'in') {
      const input = typeof evt === 'string' ? { evt, ...objectOf(args) } : (args ?? {});
      const call = {
        what: cmd,
        args: input,
        seq: entry.seq,
        outcome: { kind: 'waiting' } as Call['outcome'],
      };
      calls.push(call);
      open.set(key, call);
      continue;
    }
    const request = open.get(key);
    if (request === undefined) continue;
    open.delete(key);
    const code = Number(objectOf(data)['code']);
    request.outcome = evt === 'ERROR' ? { kind: 'failed', code, data } : { kind: 'answered', data };
  }
  return calls;
}

function httpCall({
  method,
  path,
  status,
  request,
  response,
  seq,
}: Extract<JournalEntry, { readonly kind: 'http' }>): Call {
  const [pathname = '', query] = path.split('?', 2);
  const body = valueIn(request.body ?? '');
  const data = valueIn(response.body ?? '');
  const input = query === undefined ? {} : { query: Object.fromEntries(new URLSearchParams(query)) };
  const code = Number(objectOf(data)['code']) || status;
  return {
    what: `${method} ${pathBelowApi(pathname)}`,
    args: { ...objectOf(body), ...input },
    seq,
    outcome:
      status >= MIN_FAILURE_STATUS ? { kind: 'failed', code, status, data } : { kind: 'answered', data },
  };
}

/** Finds the calls of one command or route. */
export interface Wanted {
  readonly matches: (call: Pick<Call, 'what'>) => boolean;
  /** Rejects with LocalError FOOTBRIDGE_ARGUMENTS for a route that the platform does not have. */
  readonly check: () => Promise<void>;
  /** The route without the version of the API; absent for a command. */
  readonly route?: string;
}

/**
 * Predicate for calls of an exact command, or of a route in which `{name}` or `*` matches any one part. `caller` is the
 * function that was called, for the error.
 * @throws LocalError FOOTBRIDGE_ARGUMENTS for what is neither, and for a command that the protocol does not know.
 */
export function wanted(what: unknown, caller: 'expect' | 'waitFor'): Wanted {
  const wrong = (problem: string): LocalError =>
    new LocalError('FOOTBRIDGE_ARGUMENTS', `${caller}: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`);
  if (typeof what !== 'string') throw wrong(`must be a command or a route, not ${quoted(what)}`);
  const route = /^([A-Z]+) (\/\S*)$/.exec(what);
  if (route === null) {
    if (findCommand(what) !== undefined)
      return { matches: (call) => call.what === what, check: () => Promise.resolve() };
    throw wrong(
      `there is no command ${JSON.stringify(what.slice(0, 60))}.${didYouMean(what, Object.keys(commands))} ` +
        'A route is written "METHOD /path"',
    );
  }
  const [, method = '', path = ''] = route;
  const parts = pathBelowApi(path).split('/');
  return {
    route: `${method} ${parts.join('/')}`,
    matches(call) {
      const [verb, at = ''] = call.what.split(' ', 2);
      const segments = at.split('/');
      return (
        verb === method &&
        segments.length === parts.length &&
        parts.every((part, index) => part === '*' || /^\{.*\}$/.test(part) || part === segments[index])
      );
    },
    async check() {
      const problem = await unknownRoute(what, { method, path: parts.join('/') });
      if (problem !== undefined) throw wrong(problem);
    },
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  return objectOf(valueIn(text));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns the value of a JSON text, or the text itself when it is not JSON. */
export function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
