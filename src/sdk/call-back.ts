import { isolate } from '../client/emitter.ts';

/**
 * Calls a function of the game. What it throws surfaces as the process's own uncaught exception, or that of the page, from a
 * place where nothing of ours is half done. It is always an Error: anything else has no stack, and would not tell where it is from.
 * @param name of the entry point that the function was given to
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

/** What was thrown, for people. Of an object that is no Error nothing can be said that is short; it is the cause. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown === 'string') return JSON.stringify(thrown);
  return typeof thrown === 'object' && thrown !== null ? 'an object that is no Error' : String(thrown);
}
