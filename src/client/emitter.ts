import { invalid } from './errors.ts';

/** A typed list of listeners. */
export interface Emitter<Events extends { readonly [event: string]: readonly unknown[] }> {
  /** Adds a listener; the returned function removes it. */
  readonly on: <E extends keyof Events>(event: E, listener: (...args: Events[E]) => void) => () => void;
  readonly emit: <E extends keyof Events>(event: E, ...args: Events[E]) => void;
}

/** An exception of a listener surfaces as an uncaught exception of the process, not in `emit`. */
export function createEmitter<
  Events extends { readonly [event: string]: readonly unknown[] },
>(): Emitter<Events> {
  const listeners = new Set<readonly [event: keyof Events, call: (args: unknown) => void]>();
  return {
    on(event, listener) {
      needFunction(listener);
      const entry = [event, (args: unknown) => listener(...(args as Events[typeof event]))] as const;
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    emit(name, ...args) {
      for (const [event, call] of [...listeners]) if (event === name) isolate(() => call(args));
    },
  };
}

/**
 * Calls a function of the program. An exception of the function is rethrown in a microtask, so that it does not
 * interrupt our own work.
 */
export function isolate(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/**
 * Throws FOOTBRIDGE_INVALID_ARGUMENT: a handler that is not a function would otherwise end the program at the first
 * event.
 */
export function needFunction(handler: unknown): void {
  if (typeof handler !== 'function') invalid('handler', 'a function');
}
