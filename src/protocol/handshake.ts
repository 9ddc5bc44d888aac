import { isSnowflake } from '../base/snowflake.ts';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode } from '../wire/codes.ts';
import { isObject, parseJson } from './json.ts';

/** The only version of the protocol. */
export const PROTOCOL_VERSION = 1;

/** A peer's description of itself in its first frame. */
export interface Handshake {
  readonly clientId: string;
  /** The body is not valid UTF-8. */
  readonly garbled?: true;
}

/**
 * Parses a HANDSHAKE body `{v, client_id}`. `v` may be 1, "1" or absent, and other keys are ignored, because real
 * clients send all of these. Throws {@link CloseError} 1003 (no object), 4004 (version) or 4000 (id).
 */
export function readHandshake(body: Uint8Array): Handshake {
  let more: Pick<Handshake, 'garbled'> = {};
  const value = parseJson(body, {
    garbled: () => {
      more = { garbled: true };
    },
  });
  if (!isObject(value)) throw new CloseError(CloseCode.UNSUPPORTED, 'A handshake must be a JSON object');
  const { v, client_id: clientId } = value;
  if (v !== undefined && v !== PROTOCOL_VERSION && v !== String(PROTOCOL_VERSION)) {
    throw new CloseError(CloseCode.INVALID_VERSION, 'Unsupported protocol version: v must be 1');
  }
  if (clientId === undefined || clientId === null || clientId === '') {
    throw new CloseError(CloseCode.INVALID_CLIENT_ID, 'client_id is missing');
  }
  // The library pypresence recognizes a wrong id by exactly this text.
  if (!isSnowflake(clientId)) throw new CloseError(CloseCode.INVALID_CLIENT_ID, 'Invalid Client ID');
  return { clientId, ...more };
}
