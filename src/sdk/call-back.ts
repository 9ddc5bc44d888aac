import { isolate } from '../client/emitter.ts';

/**
 * Calls a function of the game. An exception surfaces as an uncaught exception of the process or page, outside our own
 * calls, so that none of ours is left half done. It is always an Error: other values have no stack, which would hide
 * their origin.
 * @param name of the entry point that took the function
 */
export function callBack(name: string, call: () => void): void {
  isolate(() => {
    try {
      call();
    } catch (error) {
      if (error instanceof Error) throw error;
      throw new Error(`The callback given to ${name} threw ${messageOf(error)}`, { cause: error });
    }
  });
}

/**
 * Returns the message of a thrown value. An object that is not an Error has no short description; it becomes the cause
 * of the error.
 */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown === 'string') return JSON.stringify(thrown);
  return typeof thrown === 'object' && thrown !== null ? 'an object that is no Error' : String(thrown);
}
