/** A value that is there at once, or later. What is there at once costs no turn of the event loop, no timer and no promise. */
export type Awaitable<T> = T | Promise<T>;

/** Whether it comes later. Any object with `then` does: a core may be written with other promises than ours. */
export function isLater<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
