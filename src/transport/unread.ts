import { MAX_FRAME_BYTES } from '../wire/frame.ts';

/**
 * Bytes that may wait behind the frame that a peer is reading: what it may leave unread, and one answer of the largest size.
 * An app that asks for two such answers at once and reads a second later would else be dropped for what it was sent.
 */
export function maxBehindFront(unreadBytes: number): number {
  return unreadBytes + MAX_FRAME_BYTES;
}
