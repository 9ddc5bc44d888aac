/** Opcodes of the gateway, with the platform's names. */
export const Opcode = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  PRESENCE_UPDATE: 3,
  VOICE_STATE_UPDATE: 4,
  RESUME: 6,
  RECONNECT: 7,
  REQUEST_GUILD_MEMBERS: 8,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
  REQUEST_SOUNDBOARD_SOUNDS: 31,
  REQUEST_CHANNEL_INFO: 43,
} as const;

/** Close codes of the gateway. After 4004, and from 4010 on, clients do not reconnect by themselves. */
export const CloseCode = {
  UNKNOWN_ERROR: 4000,
  UNKNOWN_OPCODE: 4001,
  DECODE_ERROR: 4002,
  NOT_AUTHENTICATED: 4003,
  AUTHENTICATION_FAILED: 4004,
  ALREADY_AUTHENTICATED: 4005,
  INVALID_SEQ: 4007,
  RATE_LIMITED: 4008,
  SESSION_TIMED_OUT: 4009,
  INVALID_SHARD: 4010,
  SHARDING_REQUIRED: 4011,
  INVALID_API_VERSION: 4012,
  INVALID_INTENTS: 4013,
  DISALLOWED_INTENTS: 4014,
} as const;

/** Maximum length of a close reason (bytes, RFC 6455 5.5). */
const MAX_REASON_BYTES = 123;

/** A close reason without the characters that a close frame has no room for. */
export function closeReason(text: string): string {
  const bytes = Buffer.alloc(MAX_REASON_BYTES);
  const { written } = new TextEncoder().encodeInto(text, bytes);
  return bytes.toString('utf8', 0, written);
}

/** An error of the client that closes its connection with a close code, and its message as the reason. */
export class GatewayFault extends Error {
  readonly code: number;

  constructor(code: (typeof CloseCode)[keyof typeof CloseCode], message: string) {
    super(message);
    this.name = 'GatewayFault';
    this.code = code;
  }
}
