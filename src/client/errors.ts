/** What went wrong on this side of the socket. */
type Failure =
  /** No endpoint answered; `attempts` says what was tried. */
  | 'NO_SERVER'
  /** There is no connection at the moment; nothing was sent. */
  | 'NOT_CONNECTED'
  /** The connection was lost while the answer was awaited; `reason` is what the server said, if it did. */
  | 'DISCONNECTED'
  /** The program closed the client. */
  | 'CLOSED'
  /** No answer within the time limit. */
  | 'TIMEOUT'
  /** The server does not read what it is sent. */
  | 'OVERLOADED'
  /** An argument is wrong; nothing was sent. */
  | 'INVALID_ARGUMENT'
  /** The server broke the protocol. */
  | 'PROTOCOL';

/** Stable codes of failures on this side of the socket. */
export type ClientErrorCode = `FOOTBRIDGE_${Failure}`;

/** One endpoint that was tried, and why it did not serve. */
export interface Attempt {
  readonly path: string;
  /**
   * `foreign`: another user's socket, left alone; `message` says whose. `busy`: so many connects wait there that there was no
   * room for ours within the time limit. `rejected`: `message` is what the server said.
   */
  readonly reason: 'missing' | 'refused' | 'denied' | 'foreign' | 'silent' | 'busy' | 'rejected' | 'failed';
  /** Of the CLOSE frame that rejected the handshake. */
  readonly code?: number | undefined;
  readonly message?: string | undefined;
}

/** What the server said in its CLOSE frame. */
export interface CloseReason {
  /** 4000 client id, 4003 token revoked, 1000 normal and others. */
  readonly code: number | undefined;
  readonly message: string;
}

interface Details {
  /** Of FOOTBRIDGE_DISCONNECTED: what the server gave as its reason. */
  readonly reason?: CloseReason;
}

/** A failure on this side of the socket. */
export class ClientError extends Error implements Details {
  /** Node prints it for an error that nobody catches, and the name of the class is shortened in the bundle. */
  static override readonly name: string = 'ClientError';
  override name = ClientError.name;
  declare readonly code: ClientErrorCode;
  /** Of FOOTBRIDGE_NO_SERVER: every path in the order tried. */
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
  /** `data.code`: 4000 arguments, 4002 command, 4006 scope, 4009 token, 5000 OAuth 2.0 and others. */
  declare readonly code: number;
  /** The command that failed. */
  declare readonly cmd: string;

  constructor(cmd: string, code: number, message: string) {
    super(message);
    Object.assign(this, { cmd, code });
  }
}

/** Throws FOOTBRIDGE_INVALID_ARGUMENT. */
export function invalid(path: string, wanted: string): never {
  throw new ClientError('INVALID_ARGUMENT', `${path}: must be ${wanted}`);
}

/** The error for a search that found nothing. */
export function noServer(attempts: readonly Attempt[]): ClientError {
  // Most lines would say "missing": one a folder is enough for those.
  const lines = attempts.map(({ path, reason, code, message }) =>
    reason === 'missing'
      ? `${path.replace(/\d$/, 'N')}: missing`
      : [`${path}:`, reason, code, message].filter(Boolean).join(' '),
  );
  const tried = attempts.length === 0 ? 'nothing, for no place was named' : [...new Set(lines)].join('\n  ');
  const error = new ClientError(
    'NO_SERVER',
    `No server answers; start the chat client or the bridge. Tried:\n  ${tried}`,
  );
  // Not enumerable: whoever prints the error would get two hundred lines of what the message says already.
  return Object.defineProperty(error, 'attempts', { value: attempts });
}
