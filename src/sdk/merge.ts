import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';

/**
 * A pending merge of a provisional account with an account of the platform; the user performs the merge. At most one
 * merge is pending.
 */
export class Merge {
  #end: ((why: Failed | undefined) => void) | undefined;

  /**
   * Requests a merge and waits for it. Resolves when the merge is done; rejects with Failed when the merge fails or a
   * later call requests another merge.
   */
  wait(request: () => void): Promise<void> {
    this.giveUp(new Failed(ErrorType.Aborted, 'Another call waits for the merge of the account'));
    return new Promise((resolve, reject) => {
      this.#end = (why) => (why === undefined ? resolve() : reject(why));
      // The callback may report the result synchronously, so `#end` is set before this call.
      request();
    });
  }

  /** Ends the wait with the result that the game reports. Returns false when no call is waiting. */
  completed(success: boolean): boolean {
    if (success) return this.#settle(undefined);
    return this.giveUp(new Failed(ErrorType.AuthorizationFailed, 'The provisional account was not merged'));
  }

  /** Ends the wait with a failure. Returns false when no call is waiting. */
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
