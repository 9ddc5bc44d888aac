import { describe, expect, it } from 'vitest';
import { pictureOf } from '../../../src/emulator/files/picture.ts';
import { gif, png, webp } from '../../helpers/media-bytes.ts';

describe('pictureOf', () => {
  it.each<[string, Buffer, object]>([
    [
      'PNG',
      png({ width: 7, height: 9 }),
      { type: 'image/png', animated: false, size: { width: 7, height: 9 } },
    ],
    ['APNG', png({ delays: [40, 60] }), { type: 'image/png', animated: true, duration: 100 }],
    ['GIF', gif({ side: 5 }), { type: 'image/gif', animated: false, size: { width: 5, height: 5 } }],
    [
      'a GIF that moves',
      gif({ frames: 3, delay: 200 }),
      { type: 'image/gif', animated: true, duration: 600 },
    ],
    ['WebP', webp(false), { type: 'image/webp', animated: false }],
    ['a WebP that moves', webp(true), { type: 'image/webp', animated: true }],
    ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), { type: 'image/jpeg', animated: false }],
    ['AVIF', Buffer.from('\0\0\0\x20ftypavif', 'latin1'), { type: 'image/avif', animated: false }],
    [
      'an AVIF that moves',
      Buffer.from('\0\0\0\x20ftypavis', 'latin1'),
      { type: 'image/avif', animated: true },
    ],
  ])('recognises %s', (_, bytes, picture) => {
    expect(pictureOf(bytes)).toMatchObject(picture);
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['the beginning of a PNG', png().subarray(0, 20)],
    ['the beginning of a GIF', gif().subarray(0, 8)],
    ['a GIF with something else in it', Buffer.concat([gif().subarray(0, 19), Buffer.from([0x99, 1, 2])])],
    ['RIFF with a sound', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')],
  ])('returns undefined for %s', (_, bytes) => {
    expect(pictureOf(bytes)).toBeUndefined();
  });

  it('stops at the end of the bytes, whatever lengths they contain', () => {
    for (const whole of [png({ delays: [1, 2, 3] }), gif({ frames: 4 }), webp(true)]) {
      for (let length = 0; length < whole.length; length += 1) {
        expect(() => pictureOf(whole.subarray(0, length))).not.toThrow();
      }
    }
    const endless = png();
    endless.writeUInt32BE(0xff_ff_ff_ff, 33);
    expect(pictureOf(endless)).toMatchObject({ animated: false });
  });
});
