/** IPC opcodes: the first int32 of every frame header. */
export const Opcode = {
  HANDSHAKE: 0,
  FRAME: 1,
  CLOSE: 2,
  PING: 3,
  PONG: 4,
} as const;
export type Opcode = (typeof Opcode)[keyof typeof Opcode];

/** Reason for the end of a connection: `code` of a CLOSE body, or the close code of a WebSocket. */
export const CloseCode = {
  /** The peer sent CLOSE, the user logged out, or the server is draining. */
  NORMAL: 1000,
  /** The framing, the encoding or the order of frames is invalid. */
  UNSUPPORTED: 1003,
  /** The handshake is late, the server is at capacity, or the peer is too slow. */
  ABNORMAL: 1006,
  INVALID_CLIENT_ID: 4000,
  INVALID_ORIGIN: 4001,
  RATE_LIMITED: 4002,
  TOKEN_REVOKED: 4003,
  INVALID_VERSION: 4004,
  INVALID_ENCODING: 4005,
} as const;
export type CloseCode = (typeof CloseCode)[keyof typeof CloseCode];
