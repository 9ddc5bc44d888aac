import { describe, expect, it } from 'vitest';
import { soundOf } from '../../../src/emulator/files/sound.ts';
import { mp3, ogg, png } from '../../helpers/media-bytes.ts';

describe('soundOf', () => {
  it.each<[string, Buffer, string, number]>([
    ['MP3', mp3({ frames: 100 }), 'audio/mpeg', 2612],
    ['MP3 behind a tag', mp3({ frames: 100, tag: 500 }), 'audio/mpeg', 2612],
    ['MP3 before something else', mp3({ frames: 100, filler: 128 }), 'audio/mpeg', 2612],
    ['Opus', ogg({ duration: 1500 }), 'audio/ogg', 1500],
    ['Vorbis', ogg({ codec: 'vorbis', duration: 700 }), 'audio/ogg', 700],
  ])('recognises %s', (_, bytes, type, duration) => {
    const sound = soundOf(bytes);
    expect(sound?.type).toBe(type);
    expect(sound?.duration).toBeCloseTo(duration, -1);
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a picture', png()],
    ['a tag with nothing behind', mp3({ frames: 0, tag: 200 })],
    ['a tag that ends behind the file', Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1')],
    ['Ogg of another kind', Buffer.concat([Buffer.from('OggS'), Buffer.alloc(60)])],
    ['Ogg without samples', ogg({ duration: 0 })],
  ])('returns undefined for %s', (_, bytes) => {
    expect(soundOf(bytes)).toBeUndefined();
  });

  it('stops at the end of the bytes, whatever lengths they contain', () => {
    for (const whole of [mp3({ frames: 2, tag: 20 }), ogg()]) {
      for (let length = 0; length < whole.length; length += 1) {
        expect(() => soundOf(whole.subarray(0, length))).not.toThrow();
      }
    }
  });
});
