import { MAX_FRAME_BYTES } from '../wire/frame.ts';

/**
 * Returns the maximum number of bytes that may wait behind the frame that a peer is reading: the bytes that it may
 * leave unread, plus one answer of maximum size. Without the extra answer, an app would be dropped that sends two
 * requests for large answers at once and reads a second later.
 */
export function maxBehindFront(unreadBytes: number): number {
  return unreadBytes + MAX_FRAME_BYTES;
}
