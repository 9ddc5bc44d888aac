import { randomFrom } from './random.ts';

/** Maximum number of pieces of a split frame. */
const MAX_PIECES = 8;
/** Header of an RPC frame (bytes). */
const SHORTEST_HEADER = 8;
/** Interval between the pieces of a slow write (ms). */
const BEAT_MS = 50;

/**
 * Cuts bytes into two to eight pieces, at offsets that the seed decides. If possible, the first piece is shorter than a
 * frame header, to expose readers that expect the header in one read.
 */
export function splitBytes(bytes: Uint8Array, seed = 1): readonly Uint8Array[] {
  const random = randomFrom(seed);
  const { byteLength } = bytes;
  if (byteLength < 2) return [bytes];
  const cuts = new Set([1 + Math.floor(random() * Math.min(SHORTEST_HEADER - 1, byteLength - 1))]);
  const more = Math.floor(random() * (MAX_PIECES - 1));
  for (let cut = 0; cut < more; cut += 1) cuts.add(1 + Math.floor(random() * (byteLength - 1)));
  const offsets = [0, ...[...cuts].sort((one, other) => one - other), byteLength];
  return offsets.slice(1).map((end, index) => bytes.subarray(offsets[index], end));
}

/**
 * Cuts bytes into pieces that each take one beat at the given rate. Also returns the gap before each following piece
 * (ms).
 */
export function slowBytes(
  bytes: Uint8Array,
  bytesPerSecond: number,
): { readonly pieces: readonly Uint8Array[]; readonly gapMs: number } {
  const size = Math.max(1, Math.floor((bytesPerSecond * BEAT_MS) / 1000));
  return { pieces: piecesOf(bytes, size), gapMs: (size / bytesPerSecond) * 1000 };
}

function piecesOf(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

/** Joins parts into one buffer. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
