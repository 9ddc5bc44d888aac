import { ClientError, RpcError } from '../client/errors.ts';
import { ApiError } from '../client/http.ts';
import { ErrorType } from './enums.ts';
import { Printed } from './printed.ts';

/** Result of an operation. */
export class ClientResult extends Printed {
  /** Name for printing: the bundle shortens the class name. */
  static override readonly name: string = 'ClientResult';
  readonly #type: ErrorType;
  readonly #message: string;
  readonly #code: number;
  readonly #status: number;
  readonly #retryAfter: number;
  readonly #body: string;

  constructor(type: ErrorType, message = '', code = 0, status = 0, retryAfter = 0, body = '') {
    super();
    this.#type = type;
    this.#message = message;
    this.#code = code;
    this.#status = status;
    this.#retryAfter = retryAfter;
    this.#body = body;
  }

  Successful(): boolean {
    return this.#type === ErrorType.None;
  }

  Type(): ErrorType {
    return this.#type;
  }

  /** Message with cause, place and remedy; empty on success. It never contains a token, code or verifier. */
  Error(): string {
    return this.#message;
  }

  /** Error number of the chat client or the service, else 0. */
  ErrorCode(): number {
    return this.#code;
  }

  /** HTTP status, else 0. */
  Status(): number {
    return this.#status;
  }

  /** Text of the service's error answer; its first 8,192 characters, without tokens. */
  ResponseBody(): string {
    return this.#body;
  }

  /** Whether a repetition of the call may succeed later. */
  Retryable(): boolean {
    if (this.#type === ErrorType.HTTPError) return this.#status === 429 || this.#status >= 500;
    return this.#type === ErrorType.NetworkError || this.#type === ErrorType.ClientNotReady;
  }

  /** Seconds to wait before the call is repeated; 0 when the delay is unknown. */
  RetryAfter(): number {
    return this.#retryAfter;
  }

  ToString(): string {
    return this.Successful() ? 'Success' : this.#message;
  }

  /** Text for template strings; the same as `ToString`. */
  override toString(): string {
    return this.ToString();
  }

  override toJSON(): object {
    return {
      type: this.#type,
      error: this.#message,
      errorCode: this.#code,
      status: this.#status,
      retryable: this.Retryable(),
      retryAfter: this.#retryAfter,
    };
  }
}

/** Receives the result of an operation. */
export type ResultCallback = (result: ClientResult) => void;

/**
 * Error for an argument that is invalid, so that no request was sent; the message begins with the name of the field.
 */
export class ValidationError extends Error {
  override name = 'ValidationError';
}

/** Converts a thrown value into a result. */
export function resultOf(error: unknown): ClientResult {
  const message = error instanceof Error ? error.message : '';
  if (error instanceof ValidationError) return new ClientResult(ErrorType.ValidationError, message);
  if (error instanceof RpcError) return new ClientResult(ErrorType.RPCError, message, error.code);
  if (error instanceof ApiError) {
    const { code, status, retryAfter, body } = error;
    return new ClientResult(
      ErrorType.HTTPError,
      message,
      Number.isSafeInteger(Number(code)) ? Number(code) : 0,
      status,
      retryAfter,
      body,
    );
  }
  if (error instanceof ClientError)
    return new ClientResult(TYPES[error.code] ?? ErrorType.ClientNotReady, message);
  // A network error of `fetch` has a cause; the error for a forbidden address has none.
  const refused = error instanceof TypeError && error.cause === undefined;
  return new ClientResult(refused ? ErrorType.ValidationError : ErrorType.NetworkError, message);
}

const TYPES: { readonly [code: string]: ErrorType } = {
  FOOTBRIDGE_CLOSED: ErrorType.ClientDestroyed,
  FOOTBRIDGE_INVALID_ARGUMENT: ErrorType.ValidationError,
  FOOTBRIDGE_TIMEOUT: ErrorType.NetworkError,
};
