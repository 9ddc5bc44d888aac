import { MAX_FRAME_BYTES } from '../wire/frame.ts';

/**
 * Bytes that may wait behind the frame that a peer is reading: the bytes it may leave unread, and one answer of the
 * largest size. Otherwise an app that sends two such requests at once and reads a second later would be dropped.
 */
export function maxBehindFront(unreadBytes: number): number {
  return unreadBytes + MAX_FRAME_BYTES;
}
