import type { Core } from '../core.ts';
import { type Outcome, settle, wasLeft } from '../outcome.ts';
import type { ResultCallback } from '../result.ts';
import { optionalCallable } from '../values.ts';

/** A row of the table of entry points, from which a client gets one method. */
export interface EntryPoint<Method> {
  /** Creates the method for one client; `name` is the row's name in its table. */
  readonly of: (core: Core, name: string) => Method;
}

/** Methods that a table gives a client; each has the docstring of its row. */
export type MethodsOf<Table> = {
  [Name in keyof Table]: Table[Name] extends EntryPoint<infer Method> ? Method : never;
};

/** An asynchronous entry point: the callback comes last, and the promise of the same never rejects. */
export type Request<Args extends readonly unknown[], Values, Callback> = EntryPoint<
  (...args: [...args: Args, callback?: Callback | undefined]) => Promise<Outcome<Values>>
>;

/** Values of a request besides its result. */
export interface CallbackValues<Values extends object, Callback> {
  /** Values on failure. */
  readonly empty: Values;
  readonly report: (callback: Callback, outcome: Outcome<Values>) => void;
}

/** Defines a request's values on failure, and how its callback gets them. */
export function callbackValues<Values extends object, Callback>(
  empty: Values,
  report: (callback: Callback, outcome: Outcome<Readonly<Values>>) => void,
): CallbackValues<Readonly<Values>, Callback> {
  return { empty, report };
}

/** Differences from the usual request. */
export interface RequestOptions<Args extends readonly unknown[]> {
  /** Runs first. Throws TypeError for an argument that is not an object of its class. */
  readonly check?: (...args: Args) => unknown;
  /** Allowed after `Disconnect`: tokens are requested and presented for the next `Connect`. */
  readonly afterDisconnect?: true;
}

/**
 * An asynchronous entry point with the arguments of `work`, all of them required, then its callback. A callback that is
 * not a function throws TypeError at once; an exception of `work` becomes the result.
 */
export function request<Args extends readonly unknown[], Values extends object, Callback>(
  values: CallbackValues<Values, Callback>,
  work: (core: Core, ...args: Args) => Promise<Values>,
  options: RequestOptions<Args> = {},
): Request<Args, Values, Callback> {
  return requested(values, argumentsOf(work), work, options);
}

/** {@link request} without values besides its result. */
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
        work(core, ...args),
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
      (core, name) =>
      (...all: readonly unknown[]) => {
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
