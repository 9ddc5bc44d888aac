import type { FieldFault } from '../kernel/errors.ts';
import { ERROR_CODES, type ErrorCode, type ErrorCodeName, type LimitCodeName } from './error-codes.ts';
import type { Reply } from './reply.ts';

/** Details of a refusal that complete or replace its row in the table of error codes. */
export interface RefusalDetails {
  readonly status?: number;
  readonly message?: string;
  /** Added to the message after a colon: what to do, where the emulator has a limit that the platform has not. */
  readonly advice?: string;
  /** The number that the message names. */
  readonly limit?: number;
  /** Further members of the body. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal of the platform's HTTP API: `{ message, code }`, and further members where the contract has them. */
export class ApiError extends Error {
  /** Row of the table of error codes. */
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
    const [code, usualStatus, usualMessage]: ErrorCode = ERROR_CODES[row];
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

/** Moves the faults of a nested form below `field` of the outer form; returns any other error unchanged. */
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

/** 503: the fixture does not list the caller, and the table for unlisted ones is full. */
export function full(table: string): ApiError {
  return new ApiError('GeneralError', {
    status: 503,
    message: `Too many ${table} are stored; add this one to the fixture, or reset the emulator`,
  });
}

/** 400 with code 50035 and each fault at the path of its field; items of lists have their index as the key. */
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

/** Defines an own property, because a peer's key may be `__proto__`. */
function put(tree: Tree, key: string, value: Tree | readonly unknown[]): void {
  Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true });
}

/** 400 for an application other than that of the token. */
export function notOfToken(path: FieldFault['path']): ApiError {
  const message = 'Must be the application of the token.';
  return invalidForm([{ path, code: 'APPLICATION_NOT_OF_TOKEN', message }]);
}

/** 403 for a token that lacks a required scope. */
export function missingScope(): ApiError {
  return new ApiError('MissingRequiredOAuth2Scope');
}

/** 401 for a missing, wrong or dead token. */
export function unauthorized(): ApiError {
  return new ApiError('GeneralError', { status: 401, message: '401: Unauthorized' });
}

/** 404 for a resource that has no error code of its own. */
export function notFound(message = '404: Not Found'): ApiError {
  return new ApiError('GeneralError', { status: 404, message });
}

/** 501 for a public feature of the platform that this emulator lacks; the message names it. */
export function notOffered(what: string): ApiError {
  return new ApiError('GeneralError', {
    status: 501,
    message: `501: Not Implemented: ${what} is not offered by this emulator`,
  });
}
