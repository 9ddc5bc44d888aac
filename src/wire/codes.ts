/** IPC opcodes: the first int32 of every frame header. */
export const Opcode = {
  HANDSHAKE: 0,
  FRAME: 1,
  CLOSE: 2,
  PING: 3,
  PONG: 4,
} as const;
export type Opcode = (typeof Opcode)[keyof typeof Opcode];

/** Why a connection ends: `code` of a CLOSE body, or the close code of a WebSocket. */
export const CloseCode = {
  /** Answer to the peer's own CLOSE, user logged out, server draining. */
  NORMAL: 1000,
  /** Framing, encoding or order of frames is wrong. */
  UNSUPPORTED: 1003,
  /** Handshake deadline passed, server at capacity, peer too slow. */
  ABNORMAL: 1006,
  INVALID_CLIENT_ID: 4000,
  INVALID_ORIGIN: 4001,
  RATE_LIMITED: 4002,
  TOKEN_REVOKED: 4003,
  INVALID_VERSION: 4004,
  INVALID_ENCODING: 4005,
} as const;
export type CloseCode = (typeof CloseCode)[keyof typeof CloseCode];
