import { holds } from '../base/holds.ts';
import { amount } from '../base/text.ts';
import { type Call, type What, wanted } from './calls.ts';

/**
 * Assertions on a command or a route that need no test runner: each resolves, or rejects with an {@link
 * ExpectationError}.
 */
export interface Expectation {
  toHaveBeenCalled(): Promise<void>;
  toHaveBeenCalledTimes(times: number): Promise<void>;
  /** Asserts at least one call with these arguments or this body; the call may have further members. */
  toHaveBeenCalledWith(args: Readonly<Record<string, unknown>>): Promise<void>;
  /** Asserts at least one call, of which the last succeeded. */
  toHaveSucceeded(): Promise<void>;
  /**
   * Asserts at least one call, of which the last failed. `code`, if present, is compared with the RPC error code, the
   * code in the HTTP body, or the HTTP status. In strict mode, refusals of this route are no violations any longer.
   */
  toHaveFailed(code?: number): Promise<void>;
  /** The opposite. */
  readonly not: {
    toHaveBeenCalled(): Promise<void>;
    toHaveBeenCalledWith(args: Readonly<Record<string, unknown>>): Promise<void>;
  };
}

/** Thrown when the requests do not match an expectation. Test runners print `actual` beside `expected`. */
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

/** Maximum number of calls that a message lists. */
const MAX_LISTED = 10;

/**
 * Returns assertions on the calls that `read` returns when an assertion runs. Throws at once for a name that is neither
 * a command nor a route. `allow` is called with a route whose refusal was asserted. For a route that the platform does
 * not have and that was never requested, every assertion rejects.
 */
export function expectation(
  what: What,
  read: () => readonly Call[],
  allow: (route: string) => Promise<void>,
): Expectation {
  const { matches, check, route } = wanted(what, 'expect');
  const argsOf = (calls: readonly Call[]): readonly unknown[] => calls.map(({ args }) => args);
  /** Checks the calls so far. `problem` describes how the calls differ from the expectation. */
  const evaluate = async (
    problem: (
      own: readonly Call[],
    ) => { readonly text: string; readonly actual: unknown; readonly expected: unknown } | undefined,
  ): Promise<void> => {
    const all = read();
    const own = all.filter(matches);
    // A mistyped route was never called, so `not.toHaveBeenCalled` would always pass; this check rejects it.
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
    toHaveFailed: async (code) => {
      await evaluate((own) => {
        const last = own.at(-1);
        if (last?.outcome.kind === 'failed' && isOf(last.outcome, code)) return undefined;
        const expected = { kind: 'failed', ...(code === undefined ? {} : { code }) };
        return { text: endText(last), actual: last?.outcome, expected };
      });
      if (route !== undefined) await allow(route);
    },
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
