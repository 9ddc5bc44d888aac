import type { Core } from '../core.ts';
import { type Outcome, settle, wasLeft } from '../outcome.ts';
import type { ResultCallback } from '../result.ts';
import { optionalCallable } from '../values.ts';
import type { CallbackValues, EntryPoint, Request } from './entry-point.ts';

/** Defines the values of a request on failure, and how its callback receives the values. */
export function callbackValues<Values extends object, Callback>(
  empty: Values,
  report: (callback: Callback, outcome: Outcome<Readonly<Values>>) => void,
): CallbackValues<Readonly<Values>, Callback> {
  return { empty, report };
}

/** Options of a request that differs from the default. */
export interface RequestOptions<Args extends readonly unknown[]> {
  /** Runs before the request. Throws TypeError for an argument that is not an object of its class. */
  readonly check?: (...args: Args) => unknown;
  /**
   * Allows the request after `Disconnect`. Entry points for tokens need it, because a game requests and presents a
   * token for its next `Connect`.
   */
  readonly afterDisconnect?: true;
}

/**
 * Defines an asynchronous entry point. It takes the arguments of `work`, all of them required, and then the callback. A
 * callback that is not a function throws TypeError at once; an exception of `work` becomes the result.
 */
export function request<Args extends readonly unknown[], Values extends object, Callback>(
  values: CallbackValues<Values, Callback>,
  work: (core: Core, ...args: Args) => Promise<Values>,
  options: RequestOptions<Args> = {},
): Request<Args, Values, Callback> {
  return requested(values, argumentsOf(work), work, options);
}

/** Defines a {@link request} that has a result and no further values. */
export function action<Args extends readonly unknown[]>(
  work: (core: Core, ...args: Args) => Promise<void>,
  options: RequestOptions<Args> = {},
): Request<Args, object, ResultCallback> {
  const run = async (core: Core, ...args: Args): Promise<object> => {
    await work(core, ...args);
    return {};
  };
  return requested(NOTHING, argumentsOf(work), run, options);
}

/** A synchronous entry point. */
export function method<Args extends readonly unknown[], Result>(
  work: (core: Core, ...args: Args) => Result,
): EntryPoint<(...args: Args) => Result> {
  return {
    of:
      (core) =>
      (...args) =>
        work(core as Core, ...args),
  };
}

const NOTHING: CallbackValues<object, ResultCallback> = {
  empty: {},
  report: (callback, { result }) => callback(result),
};

/** Number of arguments after the core. */
function argumentsOf(work: { readonly length: number }): number {
  return work.length - 1;
}

function requested<Args extends readonly unknown[], Values extends object, Callback>(
  { empty, report }: CallbackValues<Values, Callback>,
  count: number,
  work: (core: Core, ...args: Args) => Promise<Values>,
  { check, afterDisconnect }: RequestOptions<Args>,
): Request<Args, Values, Callback> {
  return {
    of:
      (parts, name) =>
      (...all: readonly unknown[]) => {
        const core = parts as Core;
        const args = all.slice(0, count) as unknown as Args;
        check?.(...args);
        const callback = optionalCallable('callback', all[count] as Callback | undefined);
        const run = async (): Promise<Values> => {
          if (core.isDestroyed && afterDisconnect !== true) throw wasLeft();
          return work(core, ...args);
        };
        return settle(core.log, name, empty, run, (outcome) => {
          if (callback !== undefined) report(callback, outcome);
        });
      },
  };
}
