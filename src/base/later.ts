/**
 * A value that is available at once or as a promise. An immediate value costs no turn of the event loop, no timer and
 * no promise.
 */
export type Awaitable<T> = T | Promise<T>;

/**
 * Whether a value is a promise. Any object with `then` counts, because a core may use another implementation of
 * promises.
 */
export function isLater<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
