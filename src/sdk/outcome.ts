import { callBack } from './call-back.ts';
import { ErrorType, LoggingSeverity } from './enums.ts';
import type { Log } from './log.ts';
import { ClientResult, resultOf } from './result.ts';

/** Result and values of an asynchronous entry point. The promise of an outcome never rejects. */
export type Outcome<T = object> = { readonly result: ClientResult } & T;

/** A failure that determines the result of the call. */
export class Failed extends Error {
  readonly result: ClientResult;

  constructor(type: ErrorType, message: string, code = 0) {
    super(message);
    this.result = new ClientResult(type, message, code);
  }
}

/** The failure of pending and new requests after the game has called `Disconnect`. */
export function wasLeft(): Failed {
  return new Failed(ErrorType.ClientDestroyed, 'The client was disconnected');
}

/**
 * Runs the work of an entry point, calls its callback in the SDK's way, and resolves with the same.
 * @param empty values of a failure besides its result
 */
export async function settle<T extends object>(
  log: Log,
  name: string,
  empty: T,
  work: () => Promise<T>,
  report: (outcome: Outcome<T>) => void,
): Promise<Outcome<T>> {
  let outcome: Outcome<T>;
  try {
    outcome = { result: new ClientResult(ErrorType.None), ...(await work()) };
  } catch (error) {
    const known = error instanceof Failed ? error.result : resultOf(error);
    const message = log.redact(known.Error());
    const numbers = [known.ErrorCode(), known.Status(), known.RetryAfter()] as const;
    const body = log.redact(known.ResponseBody());
    outcome = { result: new ClientResult(known.Type(), message, ...numbers, body), ...empty };
    log.write(LoggingSeverity.Warning, `${name}: ${message}`);
  }
  callBack(name, () => report(outcome));
  return outcome;
}
