import { MAX_FRAME_BYTES } from '../wire/frame.ts';
import { ErrorCode } from './error-code.ts';
import { RpcError } from './errors.ts';

/** Bytes that the official C++ library reads without harm: above 65,527 it corrupts its own memory. */
const MAX_SMALL_BYTES = 60_000;

/** All messages that this library sends and listens to; a program that sends any other is not this library. */
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

/** Maximum bytes of an answer to this command, or of this event: 60,000, or the 3 MiB of the real client. */
export function maxSentBytes(name: string | null): number {
  return name !== null && SMALL.has(name) ? MAX_SMALL_BYTES : MAX_FRAME_BYTES;
}

/**
 * Room for the envelope with a nonce of maximum length, and for the members a command's effect adds to its answer
 * (bytes).
 */
const MARGIN_BYTES = 16 * 1024;

/** For a command with an effect, before the effect: throws RpcError 1000 when the answer to it would be too large. */
export function requireSendable(cmd: string, data: unknown): void {
  const bytes = new TextEncoder().encode(JSON.stringify(data)).byteLength;
  if (bytes + MARGIN_BYTES > maxSentBytes(cmd)) throw tooLarge(cmd, bytes);
}

/** The refusal of an answer that is too large; answers are never shortened. */
export function tooLarge(cmd: string | null, bytes: number): RpcError {
  const max = maxSentBytes(cmd);
  return new RpcError(
    ErrorCode.UNKNOWN_ERROR,
    `The answer to ${cmd ?? 'the request'} has ${bytes} bytes; a frame holds at most ${max}`,
  );
}
