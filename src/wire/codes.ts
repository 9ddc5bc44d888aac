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

/** Why a request failed: `data.code` of an ERROR payload. Not to be mixed up with {@link CloseCode}. */
export const ErrorCode = {
  UNKNOWN_ERROR: 1000,
  SERVICE_UNAVAILABLE: 1001,
  TRANSACTION_ABORTED: 1002,
  INVALID_PAYLOAD: 4000,
  INVALID_COMMAND: 4002,
  INVALID_GUILD: 4003,
  INVALID_EVENT: 4004,
  INVALID_CHANNEL: 4005,
  INVALID_PERMISSIONS: 4006,
  INVALID_CLIENT_ID: 4007,
  INVALID_ORIGIN: 4008,
  INVALID_TOKEN: 4009,
  INVALID_USER: 4010,
  INVALID_INVITE: 4011,
  INVALID_ACTIVITY_JOIN_REQUEST: 4012,
  INVALID_ENTITLEMENT: 4015,
  INVALID_GIFT_CODE: 4016,
  INVALID_GUILD_TEMPLATE: 4017,
  INVALID_SOUND: 4018,
  INVALID_PROVIDER: 4019,
  INVALID_CONNECTION_CALLBACK_STATE: 4020,
  BAD_REQUEST_FOR_PROVIDER: 4021,
  OAUTH2_ERROR: 5000,
  SELECT_CHANNEL_TIMED_OUT: 5001,
  GET_GUILD_TIMED_OUT: 5002,
  SELECT_VOICE_FORCE_REQUIRED: 5003,
  CAPTURE_SHORTCUT_ALREADY_LISTENING: 5004,
  INVALID_ACTIVITY_SECRET: 5005,
  NO_ELIGIBLE_ACTIVITY: 5006,
  PURCHASE_CANCELED: 5008,
  PURCHASE_ERROR: 5009,
  RATE_LIMITED: 5011,
  UNAUTHORIZED_FOR_APPLICATION: 5012,
  NO_CONNECTION_FOUND: 5013,
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];
