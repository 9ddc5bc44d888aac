import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';

/** What waits until a person has merged the account that only the game knows with one of the platform. One thing at a time. */
export class Merge {
  #end: ((why: Failed | undefined) => void) | undefined;

  /** Asks for a merge; resolves once it is done, rejects with Failed when it is not or something else waits for one. */
  wait(ask: () => void): Promise<void> {
    this.giveUp(new Failed(ErrorType.Aborted, 'Another call waits for the merge of the account'));
    return new Promise((resolve, reject) => {
      this.#end = (why) => (why === undefined ? resolve() : reject(why));
      // What is asked may answer at once.
      ask();
    });
  }

  /** What the game says of it; false where nothing waits. */
  completed(success: boolean): boolean {
    if (success) return this.#settle(undefined);
    return this.giveUp(new Failed(ErrorType.AuthorizationFailed, 'The provisional account was not merged'));
  }

  /** It is waited for no more; false where nothing waits. */
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
