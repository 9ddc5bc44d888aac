import { isDeepStrictEqual } from 'node:util';
import { type Call, meant, type What } from './calls.ts';

/** What may be said of a command or a route, without a test runner: each resolves, or rejects with an {@link ExpectationError}. */
export interface Expectation {
  toHaveBeenCalled(): Promise<void>;
  toHaveBeenCalledTimes(times: number): Promise<void>;
  /** At least once with these arguments, or this body; more may have been given with them. */
  toHaveBeenCalledWith(args: Readonly<Record<string, unknown>>): Promise<void>;
  /** At least once, and the last time with success. */
  toHaveSucceeded(): Promise<void>;
  /** At least once, and the last time with an error; of this code, where one is given: of RPC, of the body, or the status. */
  toHaveFailed(code?: number): Promise<void>;
  /** The opposite. */
  readonly not: {
    toHaveBeenCalled(): Promise<void>;
    toHaveBeenCalledWith(args: Readonly<Record<string, unknown>>): Promise<void>;
  };
}

/** Something was expected of the requests that came, and was not so. Test runners show `actual` beside `expected`. */
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

/** Calls that a message shows. */
const MOST_SHOWN = 10;

/** Says things of the calls that `read` has read when they are said. Throws at once for what is no command and no route. */
export function expectation(what: What, read: () => readonly Call[]): Expectation {
  const isMeant = meant(what);
  const all = (): readonly Call[] => read();
  const own = (): readonly Call[] => all().filter(isMeant);
  const fail = (problem: string, actual: unknown, expected: unknown): never => {
    throw new ExpectationError(`${what} ${problem}.${came(all())}`, actual, expected);
  };
  const argsOf = (calls: readonly Call[]): readonly unknown[] => calls.map(({ args }) => args);
  return {
    async toHaveBeenCalled() {
      if (own().length === 0) fail('was not called', 0, 'at least 1');
    },
    async toHaveBeenCalledTimes(times) {
      const { length } = own();
      if (length !== times) fail(`was called ${length} times, not ${times}`, length, times);
    },
    async toHaveBeenCalledWith(args) {
      const calls = own();
      if (!calls.some((call) => holds(call.args, args))) {
        fail(calls.length === 0 ? 'was not called' : 'was not called with that', argsOf(calls), args);
      }
    },
    async toHaveSucceeded() {
      const last = own().at(-1);
      if (last?.outcome.kind !== 'answered') fail(endText(last), last?.outcome, { kind: 'answered' });
    },
    async toHaveFailed(code) {
      const last = own().at(-1);
      const isSo = last?.outcome.kind === 'failed' && isOf(last.outcome, code);
      if (!isSo)
        fail(endText(last), last?.outcome, { kind: 'failed', ...(code === undefined ? {} : { code }) });
    },
    not: {
      async toHaveBeenCalled() {
        const { length } = own();
        if (length > 0) fail(`was called ${length} times`, length, 0);
      },
      async toHaveBeenCalledWith(args) {
        const calls = own().filter((call) => holds(call.args, args));
        if (calls.length > 0) fail('was called with that', argsOf(calls), args);
      },
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
  const names = calls.slice(-MOST_SHOWN).map(({ what }) => what);
  const more = calls.length > names.length ? `, and ${calls.length - names.length} before` : '';
  return ` What came: ${names.join(', ')}${more}`;
}

/** Whether a value has everything of another: members of objects, in any depth; lists as they are. */
function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return isDeepStrictEqual(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([key, member]) => holds(Reflect.get(value, key), member));
}
