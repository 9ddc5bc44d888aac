import { isDeepStrictEqual } from 'node:util';
import { amount } from '../base/text.ts';
import { type Call, type What, wanted } from './calls.ts';

/**
 * Assertions on a command or a route, without a test runner: each resolves, or rejects with an
 * {@link ExpectationError}.
 */
export interface Expectation {
  toHaveBeenCalled(): Promise<void>;
  toHaveBeenCalledTimes(times: number): Promise<void>;
  /** At least once with these arguments, or this body; the call may have more. */
  toHaveBeenCalledWith(args: Readonly<Record<string, unknown>>): Promise<void>;
  /** At least once, and the last time with success. */
  toHaveSucceeded(): Promise<void>;
  /** At least once, and the last time with an error; of `code`, where present: of RPC, of the body, or the status. */
  toHaveFailed(code?: number): Promise<void>;
  /** The opposite. */
  readonly not: {
    toHaveBeenCalled(): Promise<void>;
    toHaveBeenCalledWith(args: Readonly<Record<string, unknown>>): Promise<void>;
  };
}

/** An expectation of the requests was not met. Test runners print `actual` beside `expected`. */
class ExpectationError extends Error {
  readonly actual: unknown;
  readonly expected: unknown;

  constructor(message: string, actual: unknown, expected: unknown) {
    super(message);
    this.name = 'AssertionError';
    this.actual = actual;
    this.expected = expected;
  }
}

/** Maximum number of calls in a message. */
const MAX_LISTED = 10;

/**
 * Assertions on the calls that `read` returns when each assertion runs. Throws at once for what is no command and no
 * route; for a route that the platform does not have and that was never requested, every assertion rejects.
 */
export function expectation(what: What, read: () => readonly Call[]): Expectation {
  const { matches, check } = wanted(what, 'expect');
  const argsOf = (calls: readonly Call[]): readonly unknown[] => calls.map(({ args }) => args);
  /** Checks the calls so far; `problem` describes the difference from the expectation. */
  const evaluate = async (
    problem: (
      own: readonly Call[],
    ) => { readonly text: string; readonly actual: unknown; readonly expected: unknown } | undefined,
  ): Promise<void> => {
    const all = read();
    const own = all.filter(matches);
    // Of a mistyped route it is always true that it was not called.
    if (own.length === 0) await check();
    const found = problem(own);
    if (found === undefined) return;
    throw new ExpectationError(`${what} ${found.text}.${came(all)}`, found.actual, found.expected);
  };
  return {
    toHaveBeenCalled: () =>
      evaluate(({ length }) =>
        length === 0 ? { text: 'was not called', actual: 0, expected: 'at least 1' } : undefined,
      ),
    toHaveBeenCalledTimes: (times) =>
      evaluate(({ length }) =>
        length === times
          ? undefined
          : { text: `was called ${amount(length, 'time')}, not ${times}`, actual: length, expected: times },
      ),
    toHaveBeenCalledWith: (args) =>
      evaluate((own) => {
        if (own.some((call) => holds(call.args, args))) return undefined;
        const text = own.length === 0 ? 'was not called' : 'was not called with that';
        return { text, actual: argsOf(own), expected: args };
      }),
    toHaveSucceeded: () =>
      evaluate((own) => {
        const last = own.at(-1);
        if (last?.outcome.kind === 'answered') return undefined;
        return { text: endText(last), actual: last?.outcome, expected: { kind: 'answered' } };
      }),
    toHaveFailed: (code) =>
      evaluate((own) => {
        const last = own.at(-1);
        if (last?.outcome.kind === 'failed' && isOf(last.outcome, code)) return undefined;
        const expected = { kind: 'failed', ...(code === undefined ? {} : { code }) };
        return { text: endText(last), actual: last?.outcome, expected };
      }),
    not: {
      toHaveBeenCalled: () =>
        evaluate(({ length }) =>
          length === 0
            ? undefined
            : { text: `was called ${amount(length, 'time')}`, actual: length, expected: 0 },
        ),
      toHaveBeenCalledWith: (args) =>
        evaluate((own) => {
          const calls = own.filter((call) => holds(call.args, args));
          if (calls.length === 0) return undefined;
          return { text: 'was called with that', actual: argsOf(calls), expected: args };
        }),
    },
  };
}

function isOf(
  { code, status }: { readonly code: number; readonly status?: number },
  wanted: number | undefined,
): boolean {
  return wanted === undefined || wanted === code || wanted === status;
}

function endText(call: Call | undefined): string {
  if (call === undefined) return 'was not called';
  const { outcome } = call;
  if (outcome.kind === 'failed') return `failed with ${outcome.code}`;
  return outcome.kind === 'waiting' ? 'is not answered yet' : 'succeeded';
}

function came(calls: readonly Call[]): string {
  if (calls.length === 0) return ' Nothing was.';
  const names = calls.slice(-MAX_LISTED).map(({ what }) => what);
  const more = calls.length > names.length ? `, and ${calls.length - names.length} before` : '';
  return ` What came: ${names.join(', ')}${more}`;
}

/** Whether a value includes another: members of objects, in any depth; lists as they are. */
function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return isDeepStrictEqual(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([key, member]) => holds(Reflect.get(value, key), member));
}
