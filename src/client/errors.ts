/** Failures on the client's side of the socket, by code. */
type Failure =
  /** No endpoint answered; `attempts` lists them. */
  | 'NO_SERVER'
  /** There is no connection; nothing was sent. */
  | 'NOT_CONNECTED'
  /** The connection was lost before the answer; `reason` is the server's CLOSE frame, if the server sent one. */
  | 'DISCONNECTED'
  /** The program closed the client. */
  | 'CLOSED'
  /** No answer within the time limit. */
  | 'TIMEOUT'
  /** The server does not read our data. */
  | 'OVERLOADED'
  /** An argument is invalid; nothing was sent. */
  | 'INVALID_ARGUMENT'
  /** The server broke the protocol. */
  | 'PROTOCOL';

/** Stable codes of failures on this side of the socket. */
export type ClientErrorCode = `FOOTBRIDGE_${Failure}`;

/** A failed attempt at one endpoint, with its reason. */
export interface Attempt {
  readonly path: string;
  /**
   * `denied`: no permission; `message` gives the cause where it is known. `foreign`: another user's socket, which was not
   * opened; `message` names the owner. `busy`: the queue of connects
   * stayed full until the timeout. `rejected`: `message` is from the server.
   */
  readonly reason: 'missing' | 'refused' | 'denied' | 'foreign' | 'silent' | 'busy' | 'rejected' | 'failed';
  /** Code of the CLOSE frame that rejected the handshake. */
  readonly code?: number | undefined;
  readonly message?: string | undefined;
}

/** Content of the server's CLOSE frame. */
export interface CloseReason {
  /** Close code, such as 4000 for a client id, 4003 for a revoked token, or 1000 for a normal close. */
  readonly code: number | undefined;
  readonly message: string;
}

interface Details {
  /** For FOOTBRIDGE_DISCONNECTED: the server's reason. */
  readonly reason?: CloseReason;
}

/** A failure on this side of the socket. */
export class ClientError extends Error implements Details {
  /** The name as a literal: Node prints it for an uncaught error, and the bundle shortens the class name. */
  static override readonly name: string = 'ClientError';
  override name = ClientError.name;
  declare readonly code: ClientErrorCode;
  /** For FOOTBRIDGE_NO_SERVER: every path in the order of the attempts. */
  declare readonly attempts?: readonly Attempt[];
  declare readonly reason?: CloseReason;

  constructor(failure: Failure, message: string, details?: Details) {
    super(message);
    Object.assign(this, details, { code: `FOOTBRIDGE_${failure}` });
  }
}

/** The server's answer to a request was ERROR. */
export class RpcError extends Error {
  static override readonly name: string = 'RpcError';
  override name = RpcError.name;
  /**
   * `data.code` of the answer, such as 4000 (arguments), 4002 (command), 4006 (scope), 4009 (token) or 5000 (OAuth
   * 2.0).
   */
  declare readonly code: number;
  /** The command that failed. */
  declare readonly cmd: string;

  constructor(cmd: string, code: number, message: string) {
    super(message);
    Object.assign(this, { cmd, code });
  }
}

/** Throws a {@link ClientError} FOOTBRIDGE_INVALID_ARGUMENT that names the argument at `path` and its requirement. */
export function invalid(path: string, wanted: string): never {
  throw new ClientError('INVALID_ARGUMENT', `${path}: must be ${wanted}`);
}

/** The id of a sandboxed app in a path below the runtime folder of a login session. */
const SANDBOX = /^(\/run\/user\/\d+\/(?:app\/|\.flatpak\/|snap\.))[^/]+/;

/**
 * Returns the FOOTBRIDGE_NO_SERVER error for a search without a result; `variable` is the environment variable that
 * replaced the search.
 */
export function noServer(attempts: readonly Attempt[], variable?: string): ClientError {
  // Most attempts are "missing", so they are reduced to one line per folder, and per kind of sandbox.
  const lines = attempts.map(({ path, reason, code, message }) =>
    reason === 'missing'
      ? `${variable ? path : path.replace(/\d$/, 'N').replace(SANDBOX, '$1*')}: missing`
      : [`${path}:`, reason, code, message].filter(Boolean).join(' '),
  );
  const tried = attempts.length === 0 ? 'nothing, for no place was named' : [...new Set(lines)].join('\n  ');
  const error = new ClientError(
    'NO_SERVER',
    variable
      ? `No server answers at the path in ${variable}; start the server, or set another path or none. Tried:\n  ${tried}`
      : `No server answers; start the chat client or the bridge. Tried:\n  ${tried}`,
  );
  // The property is not enumerable: printing the error would repeat the message in two hundred lines.
  return Object.defineProperty(error, 'attempts', { value: attempts });
}
