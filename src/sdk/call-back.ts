import { inspect } from 'node:util';
import { isolate } from '../client/emitter.ts';

/**
 * Calls a function of the game. What it throws surfaces as the process's own uncaught exception, from a place where
 * nothing of ours is half done. It is always an Error: anything else has no stack, and would not tell where it is from.
 * @param name of the entry point that the function was given to
 */
export function callBack(name: string, call: () => void): void {
  isolate(() => {
    try {
      call();
    } catch (error) {
      if (error instanceof Error) throw error;
      throw new Error(`The callback given to ${name} threw ${inspect(error)}`, { cause: error });
    }
  });
}
