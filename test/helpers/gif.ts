/** A GIF of that size with one frame for each colour (0xRRGGBB), which follow each other after a hundredth of a second. */
export function animatedGif(size: number, colours: readonly [number, number]): Buffer {
  const palette = colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]);
  const frames = colours.map((_colour, index) => [
    ...[0x21, 0xf9, 4, 0, 1, 0, 0, 0],
    ...[0x2c, 0, 0, 0, 0, size, 0, size, 0, 0],
    ...pixels(size * size, index),
  ]);
  const loop = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0];
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...[size, 0, size, 0, 0x80, 0, 0],
    ...palette,
    ...loop,
    ...frames.flat(),
    0x3b,
  ]);
}

/** Pixels of one colour as LZW codes of three bits: the table is cleared before it grows. */
function pixels(count: number, colour: number): number[] {
  const [CLEAR, END] = [4, 5];
  const codes = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? [CLEAR, colour] : [colour])).flat();
  const bytes: number[] = [];
  let bits = 0;
  let length = 0;
  for (const code of [...codes, END]) {
    bits |= code << length;
    for (length += 3; length >= 8; length -= 8) {
      bytes.push(bits & 0xff);
      bits >>= 8;
    }
  }
  bytes.push(bits & 0xff);
  const blocks: number[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(block.length, ...block);
  }
  return [2, ...blocks, 0];
}
