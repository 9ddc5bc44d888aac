/** A `data:` address as programs send one. */
export function dataUri(bytes: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** The form of a sticker with its file. */
export function stickerForm(bytes: Buffer, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: 'wave', tags: 'hello', ...fields }))
    form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), 'sticker.bin');
  return form;
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  // Nobody here looks at the checksum.
  return Buffer.concat([length, Buffer.from(name, 'latin1'), data, Buffer.alloc(4)]);
}

/** A PNG of that size; with delays (ms) one that moves. */
export function png({
  width = 2,
  height = 2,
  delays = [],
  filler = 0,
}: {
  readonly width?: number;
  readonly height?: number;
  readonly delays?: readonly number[];
  readonly filler?: number;
} = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const frames = delays.map((delay) => {
    const control = Buffer.alloc(26);
    control.writeUInt16BE(delay, 20);
    control.writeUInt16BE(1000, 22);
    return chunk('fcTL', control);
  });
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...(delays.length === 0 ? [] : [chunk('acTL', Buffer.alloc(8))]),
    ...frames,
    ...(filler === 0 ? [] : [chunk('IDAT', Buffer.alloc(filler))]),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF of 2 by 2 with so many pictures, each shown so long (ms). */
export function gif({ frames = 1, delay = 100, side = 2 } = {}): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(side, 0);
  size.writeUInt16LE(side, 2);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0]);
  control.writeUInt16LE(delay / 10, 4);
  const picture = Buffer.from([0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 2, 0x4c, 1, 0]);
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    size,
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...Array.from({ length: frames }, () => Buffer.concat([control, picture])),
    Buffer.from([0x3b]),
  ]);
}

/** A WebP that moves, or not. */
export function webp(isAnimated: boolean): Buffer {
  const body = Buffer.alloc(22);
  body.write('WEBPVP8X', 0, 'latin1');
  body[12] = isAnimated ? 0x02 : 0;
  const head = Buffer.alloc(8);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** A Lottie animation with other values than those of a good one. */
export function lottie(other: Readonly<Record<string, unknown>> = {}): Buffer {
  return Buffer.from(
    JSON.stringify({ v: '5.5.2', fr: 30, ip: 0, op: 60, w: 320, h: 320, assets: [], layers: [{}], ...other }),
  );
}

/** An MP3 of so many frames of 26 ms (MPEG 1, 128 kbit/s, 44,100 Hz), behind a tag of so many bytes. */
export function mp3({ frames = 10, tag = 0, filler = 0 } = {}): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_00);
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, tag >> 7, tag & 0x7f]);
  return Buffer.concat([
    ...(tag === 0 ? [] : [head, Buffer.alloc(tag)]),
    ...Array.from({ length: frames }, () => frame),
    Buffer.alloc(filler),
  ]);
}

/** An Ogg file with Opus or Vorbis that plays so long (ms). */
export function ogg({
  codec = 'opus',
  duration = 1000,
}: {
  codec?: 'opus' | 'vorbis';
  duration?: number;
} = {}): Buffer {
  const head = Buffer.alloc(19);
  if (codec === 'opus') {
    head.write('OpusHead', 0, 'latin1');
    head.writeUInt16LE(312, 10);
  } else {
    head.write('\x01vorbis', 0, 'latin1');
    head.writeUInt32LE(48_000, 12);
  }
  const samples = duration * 48 + (codec === 'opus' ? 312 : 0);
  return Buffer.concat([oggPage(head, 0n), oggPage(Buffer.alloc(40), BigInt(samples))]);
}

function oggPage(body: Buffer, position: bigint): Buffer {
  const head = Buffer.alloc(28);
  head.write('OggS', 0, 'latin1');
  head.writeBigInt64LE(position, 6);
  head[26] = 1;
  head[27] = body.length;
  return Buffer.concat([head, body]);
}
