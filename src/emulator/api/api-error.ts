import type { FieldFault } from '../kernel/errors.ts';

/** A refusal in the words of the platform's HTTP API: `{ message, code }`, and more where the contract has it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  /** Further members of the body. */
  readonly more: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    {
      code = 0,
      more = {},
      headers = {},
    }: {
      readonly code?: number;
      readonly more?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.more = more;
    this.headers = headers;
  }

  get body(): Readonly<Record<string, unknown>> {
    return { message: this.message, code: this.code, ...this.more };
  }
}

/** The same refusal of a form that stood in a field of a larger one; another refusal as it is. */
export function inField(error: unknown, field: string): unknown {
  if (!(error instanceof ApiError) || error.more['errors'] === undefined) return error;
  const { status, message, code, headers, more } = error;
  return new ApiError(status, message, {
    code,
    headers,
    more: { ...more, errors: { [field]: more['errors'] } },
  });
}

/** 503: nobody wrote the caller down, and there is no room to keep what it says of itself. */
export function full(table: string): ApiError {
  return new ApiError(
    503,
    `Too many ${table} are kept; write this one down in the fixture, or reset the emulator`,
  );
}

const INVALID_FORM_BODY = 50035;
const MISSING_SCOPE = 50026;

/** 400 with code 50035, and each fault where its field stands; lists have their places as keys. */
export function invalidForm(faults: readonly FieldFault[]): ApiError {
  const errors: Tree = {};
  for (const { path, code, message } of faults) {
    let at = errors;
    for (const key of path) at = below(at, String(key));
    const found = Object.hasOwn(at, '_errors') ? (at['_errors'] as unknown[]) : [];
    put(at, '_errors', [...found, { code, message }]);
  }
  return new ApiError(400, 'Invalid Form Body', { code: INVALID_FORM_BODY, more: { errors } });
}

interface Tree {
  [key: string]: Tree | readonly unknown[];
}

function below(tree: Tree, key: string): Tree {
  if (!Object.hasOwn(tree, key)) put(tree, key, {});
  return tree[key] as Tree;
}

/** A peer's key may be `__proto__`: it is a key like every other. */
function put(tree: Tree, key: string, value: Tree | readonly unknown[]): void {
  Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true });
}

/** 400 for an application that is not the one of the token. */
export function notOfToken(path: FieldFault['path']): ApiError {
  const message = 'Must be the application of the token.';
  return invalidForm([{ path, code: 'APPLICATION_NOT_OF_TOKEN', message }]);
}

/** 403 for a token without a scope that is needed. */
export function missingScope(): ApiError {
  return new ApiError(403, 'Missing required OAuth2 scope', { code: MISSING_SCOPE });
}

/** 401 for a missing, wrong or dead token. */
export function unauthorized(): ApiError {
  return new ApiError(401, '401: Unauthorized');
}

/** 404 for what is not there; `code` and `message` where the platform has its own for that kind. */
export function notFound(message = '404: Not Found', code = 0): ApiError {
  return new ApiError(404, message, { code });
}

/** 501 for what the platform has in public and this emulator has not. It names what is wanting. */
export function notOffered(what: string): ApiError {
  return new ApiError(501, `501: Not Implemented: ${what} is not offered by this emulator`);
}
