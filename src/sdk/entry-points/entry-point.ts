import type { Outcome } from '../outcome.ts';

/** A row of the table of entry points; each row becomes one method of a client. */
export interface EntryPoint<Method> {
  /**
   * Creates the method for one client, whose `Core` the published types leave out; `name` is the row's name in its
   * table.
   */
  readonly of: (core: unknown, name: string) => Method;
}

/** Methods that a client gets from a table; each method has the docstring of its row. */
export type MethodsOf<Table> = {
  [Name in keyof Table]: Table[Name] extends EntryPoint<infer Method> ? Method : never;
};

/**
 * An asynchronous entry point: the callback is the last argument, and the returned promise has the same values and
 * never rejects.
 */
export type Request<Args extends readonly unknown[], Values, Callback> = EntryPoint<
  (...args: [...args: Args, callback?: Callback | undefined]) => Promise<Outcome<Values>>
>;

/** Values that a request returns in addition to its result. */
export interface CallbackValues<Values extends object, Callback> {
  /** Values on failure. */
  readonly empty: Values;
  readonly report: (callback: Callback, outcome: Outcome<Values>) => void;
}
