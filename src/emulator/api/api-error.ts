import type { FieldFault } from '../kernel/errors.ts';
import { ERROR_CODES, type ErrorCode, type ErrorCodeName, type LimitCodeName } from './error-codes.ts';
import type { Reply } from './operation.ts';

/** Details of a refusal that complete or replace its row in {@link ERROR_CODES}. */
export interface RefusalDetails {
  readonly status?: number;
  readonly message?: string;
  /**
   * Text that follows the message after a colon. It says what to do where the emulator has a limit that the platform
   * does not have.
   */
  readonly advice?: string;
  /** The limit that the message names. */
  readonly limit?: number;
  /** Further members of the body. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A refusal of the platform's HTTP API. Its body is `{ message, code }`, plus further members where the contract has
 * them.
 */
export class ApiError extends Error {
  /** Name of the row in the table of error codes. */
  readonly row: ErrorCodeName;
  readonly status: number;
  readonly code: number;
  /** Further members of the body. */
  readonly more: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(row: Exclude<ErrorCodeName, LimitCodeName | 'GeneralError'>, details?: RefusalDetails);
  constructor(row: LimitCodeName, details: RefusalDetails & { readonly limit: number });
  constructor(
    row: ErrorCodeName,
    details: RefusalDetails & { readonly status: number; readonly message: string },
  );
  constructor(row: ErrorCodeName, details: RefusalDetails = {}) {
    const [code, usualMessage, usualStatus = 400]: ErrorCode = ERROR_CODES[row];
    const { status = usualStatus, advice, limit, more = {}, headers = {} } = details;
    const message = details.message ?? usualMessage.replace('{limit}', String(limit));
    super(advice === undefined ? message : `${message}: ${advice}`);
    this.name = 'ApiError';
    this.row = row;
    this.status = status;
    this.code = code;
    this.more = more;
    this.headers = headers;
  }

  get body(): Readonly<Record<string, unknown>> {
    return { message: this.message, code: this.code, ...this.more };
  }

  /** The refusal as a reply. */
  get reply(): Reply {
    return { status: this.status, body: this.body, headers: this.headers };
  }
}

/** Moves the errors of a nested form below `field` of the outer form. Returns any other error unchanged. */
export function inField(error: unknown, field: string): unknown {
  if (!(error instanceof ApiError) || error.more['errors'] === undefined) return error;
  const { row, status, message, headers, more } = error;
  return new ApiError(row, {
    status,
    message,
    headers,
    more: { ...more, errors: { [field]: more['errors'] } },
  });
}

/** A refusal without an error code of its own: code 0, with a status and a message. */
export function generalError(
  status: number,
  message: string,
  details: Pick<RefusalDetails, 'more' | 'headers'> = {},
): ApiError {
  return new ApiError('GeneralError', { ...details, status, message });
}

/** The 503 error for a caller that the fixture does not list, when the table for unlisted callers is full. */
export function full(table: string): ApiError {
  return generalError(
    503,
    `Too many ${table} are stored; add this one to the fixture, or reset the emulator`,
  );
}

/**
 * The 400 error with code 50035, which reports each mistake at the path of its field. Items of lists have their index
 * as the key.
 */
export function invalidForm(faults: readonly FieldFault[]): ApiError {
  const errors: Tree = {};
  for (const { path, code, message } of faults) {
    let at = errors;
    for (const key of path) at = below(at, String(key));
    const found = Object.hasOwn(at, '_errors') ? (at['_errors'] as unknown[]) : [];
    put(at, '_errors', [...found, { code, message }]);
  }
  return new ApiError('InvalidFormBodyOrContentType', { more: { errors } });
}

interface Tree {
  [key: string]: Tree | readonly unknown[];
}

function below(tree: Tree, key: string): Tree {
  if (!Object.hasOwn(tree, key)) put(tree, key, {});
  return tree[key] as Tree;
}

/** Defines an own property instead of assigning it, because a key from a peer may be `__proto__`. */
function put(tree: Tree, key: string, value: Tree | readonly unknown[]): void {
  Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The 400 error with code 50035 for one mistake, at the path of its field. */
export function invalidField(path: FieldFault['path'], code: string, message: string): ApiError {
  return invalidForm([{ path, code, message }]);
}

/** The 400 error with code 50035 for a missing field. */
export function requiredField(...path: FieldFault['path']): ApiError {
  return invalidField(path, 'BASE_TYPE_REQUIRED', 'This field is required');
}

/** The 400 error for an application other than the token's. */
export function notOfToken(path: FieldFault['path']): ApiError {
  const message = 'Must be the application of the token.';
  return invalidField(path, 'APPLICATION_NOT_OF_TOKEN', message);
}

/** The 403 error for a resource that the caller cannot see. */
export function missingAccess(): ApiError {
  return new ApiError('MissingAccess');
}

/** The 403 error for a caller who can see the resource but lacks the permission for the action. */
export function missingPermissions(): ApiError {
  return new ApiError('MissingPermissions');
}

/** The 403 error for a token that lacks a required scope. */
export function missingScope(): ApiError {
  return new ApiError('MissingRequiredOAuth2Scope');
}

/** The 401 error for a missing, wrong or expired token. */
export function unauthorized(): ApiError {
  return generalError(401, '401: Unauthorized');
}

/** The 404 error for a resource that has no error code of its own. */
export function notFound(message = '404: Not Found'): ApiError {
  return generalError(404, message);
}

/** The 501 error for a public feature of the platform that the emulator lacks; the message names the feature. */
export function notOffered(what: string): ApiError {
  return generalError(501, `501: Not Implemented: ${what} is not offered by this emulator`);
}
