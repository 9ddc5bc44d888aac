import { randomFrom } from './random.ts';

/** Pieces that a split makes of something, at most. */
const MOST_PIECES = 8;
/** Bytes before the body of a frame of RPC. */
const SHORTEST_HEADER = 8;
/** How often something slow moves on (ms). */
const BEAT_MS = 50;

/**
 * Cuts bytes into two to eight pieces, at places that the seed decides. The first is shorter than the header of a frame
 * where there are so many: whoever reads the header in one go finds out.
 */
export function splitBytes(bytes: Uint8Array, seed = 1): readonly Uint8Array[] {
  const random = randomFrom(seed);
  const { byteLength } = bytes;
  if (byteLength < 2) return [bytes];
  const cuts = new Set([1 + Math.floor(random() * Math.min(SHORTEST_HEADER - 1, byteLength - 1))]);
  const more = Math.floor(random() * (MOST_PIECES - 1));
  for (let cut = 0; cut < more; cut += 1) cuts.add(1 + Math.floor(random() * (byteLength - 1)));
  const places = [0, ...[...cuts].sort((one, other) => one - other), byteLength];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** Cuts bytes into what may leave in one beat at so many bytes a second, with the gap before each next piece (ms). */
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
