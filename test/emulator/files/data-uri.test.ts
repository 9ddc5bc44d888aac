import { expect, it } from 'vitest';
import { image } from '../../../src/emulator/files/data-uri.ts';
import { dataUri, gif, png, webp } from '../../helpers/media-bytes.ts';

it.each([
  ['image/png', png()],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['image/gif', gif()],
  ['image/webp', webp(false)],
  // discord.js declares every picture as `image/jpg`.
  ['image/jpg', png()],
])('image() accepts a picture of type %s, and returns the hash of its bytes', (type, bytes) => {
  const hash = image().parse(dataUri(bytes, type));
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(image().parse(dataUri(bytes))).toBe(hash);
});

it.each([
  ['bytes of no picture', 'data:image/png;base64,AAAA'],
  ['a picture that is cut off', dataUri(png().subarray(0, 20))],
  ['no bytes', 'data:image/png;base64,'],
  ['a drawing', 'data:image/svg+xml;base64,PHN2Zz48L3N2Zz4='],
  ['another type', 'data:text/html;base64,AAAA'],
  ['a plain text', 'AAAA'],
])('image() refuses %s', (_, text) => {
  expect(image().safeParse(text).success).toBe(false);
});
