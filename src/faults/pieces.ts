/** Pieces that a split makes of something, at most. */
const MOST_PIECES = 8;
/** How often something slow moves on (ms). */
const BEAT_MS = 50;

/** Cuts bytes into two to eight pieces of about one length; one byte stays one. */
export function splitBytes(bytes: Uint8Array): readonly Uint8Array[] {
  const count = Math.min(MOST_PIECES, Math.max(2, Math.ceil(bytes.byteLength / 7)));
  return piecesOf(bytes, Math.max(1, Math.ceil(bytes.byteLength / count)));
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
