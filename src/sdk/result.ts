import { ClientError, RpcError } from '../client/errors.ts';
import { ApiError } from '../client/http.ts';
import { ErrorType } from './enums.ts';
import { Printed } from './printed.ts';

/** How an operation ended. */
export class ClientResult extends Printed {
  /** What it is printed under: the name of the class is shortened in the bundle. */
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

  /** What was wrong, where, and what to do; empty on success. Never holds a token, code or verifier. */
  Error(): string {
    return this.#message;
  }

  /** The chat client's or the service's own number, else 0. */
  ErrorCode(): number {
    return this.#code;
  }

  /** HTTP status, else 0. */
  Status(): number {
    return this.#status;
  }

  /** What the service answered with where it answered with an error, as text; its first 8,192 characters, and no token of them. */
  ResponseBody(): string {
    return this.#body;
  }

  /** Whether the same call may succeed later. */
  Retryable(): boolean {
    if (this.#type === ErrorType.HTTPError) return this.#status === 429 || this.#status >= 500;
    return this.#type === ErrorType.NetworkError || this.#type === ErrorType.ClientNotReady;
  }

  /** How long to wait before the same call, in seconds; 0 where nobody says. */
  RetryAfter(): number {
    return this.#retryAfter;
  }

  ToString(): string {
    return this.Successful() ? 'Success' : this.#message;
  }

  /** For templates; the same as `ToString`. */
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

/** Gets how the operation ended. */
export type ResultCallback = (result: ClientResult) => void;

/** An argument that is wrong before anything is sent; the message begins with the field. */
export class ValidationError extends Error {
  override name = 'ValidationError';
}

/** The result that stands for what was thrown. */
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
  // What `fetch` throws for the network has a cause; for an address that may not be used there is none.
  const refused = error instanceof TypeError && error.cause === undefined;
  return new ClientResult(refused ? ErrorType.ValidationError : ErrorType.NetworkError, message);
}

const TYPES: { readonly [code: string]: ErrorType } = {
  FOOTBRIDGE_CLOSED: ErrorType.ClientDestroyed,
  FOOTBRIDGE_INVALID_ARGUMENT: ErrorType.ValidationError,
  FOOTBRIDGE_TIMEOUT: ErrorType.NetworkError,
};
