import { MAX_FRAME_BYTES } from '../wire/frame.ts';
import { ErrorCode } from './error-code.ts';
import { RpcError } from './errors.ts';

/**
 * Maximum size of a message that the official C++ library reads safely (bytes). Above 65,527 bytes, it corrupts its own
 * memory.
 */
const MAX_SMALL_BYTES = 60_000;

/** All commands and events that the official C++ library uses. A program that uses any other is not this library. */
const SMALL: ReadonlySet<string> = new Set([
  'SET_ACTIVITY',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'SEND_ACTIVITY_JOIN_INVITE',
  'CLOSE_ACTIVITY_JOIN_REQUEST',
  'CLOSE_ACTIVITY_REQUEST',
  'READY',
  'ERROR',
  'ACTIVITY_JOIN',
  'ACTIVITY_SPECTATE',
  'ACTIVITY_JOIN_REQUEST',
]);

/** Maximum size of an answer to a command, or of an event (bytes): 60,000, or the 3 MiB of the real client. */
export function maxSentBytes(name: string | null): number {
  return name !== null && SMALL.has(name) ? MAX_SMALL_BYTES : MAX_FRAME_BYTES;
}

/**
 * Reserve for the envelope with a nonce of maximum length, and for members that a command's effect adds to its answer
 * (bytes).
 */
const MARGIN_BYTES = 16 * 1024;

/**
 * Checks the size of an answer before the command takes effect. Throws RpcError 1000 when the answer would be too
 * large.
 */
export function requireSendable(cmd: string, data: unknown): void {
  const bytes = new TextEncoder().encode(JSON.stringify(data)).byteLength;
  if (bytes + MARGIN_BYTES > maxSentBytes(cmd)) throw tooLarge(cmd, bytes);
}

/** The error for an answer that is too large; answers are never shortened. */
export function tooLarge(cmd: string | null, bytes: number): RpcError {
  const max = maxSentBytes(cmd);
  return new RpcError(
    ErrorCode.UNKNOWN_ERROR,
    `The answer to ${cmd ?? 'the request'} has ${bytes} bytes; a frame holds at most ${max}`,
  );
}
