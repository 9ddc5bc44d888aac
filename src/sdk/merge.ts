import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';

/**
 * A pending merge of a provisional account with an account of the platform, which the user carries out. One at a time.
 */
export class Merge {
  #end: ((why: Failed | undefined) => void) | undefined;

  /** Requests a merge. Resolves once it is done; rejects with Failed when it fails or another call waits for one. */
  wait(request: () => void): Promise<void> {
    this.giveUp(new Failed(ErrorType.Aborted, 'Another call waits for the merge of the account'));
    return new Promise((resolve, reject) => {
      this.#end = (why) => (why === undefined ? resolve() : reject(why));
      // The callback may report the result at once.
      request();
    });
  }

  /** Reports the game's result; false where nothing waits. */
  completed(success: boolean): boolean {
    if (success) return this.#settle(undefined);
    return this.giveUp(new Failed(ErrorType.AuthorizationFailed, 'The provisional account was not merged'));
  }

  /** Ends the wait with a failure; false where nothing waits. */
  giveUp(why: Failed): boolean {
    return this.#settle(why);
  }

  #settle(why: Failed | undefined): boolean {
    const end = this.#end;
    this.#end = undefined;
    end?.(why);
    return end !== undefined;
  }
}
