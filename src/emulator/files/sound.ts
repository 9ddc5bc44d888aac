import type { MediaType } from './stored-records.ts';

/** Properties of a sound. */
export interface SoundFile {
  readonly type: Extract<MediaType, 'audio/mpeg' | 'audio/ogg'>;
  /** In milliseconds. */
  readonly duration: number;
}

/**
 * Determines the properties of a sound from its bytes; undefined for a format other than MP3, Ogg Vorbis and Ogg Opus.
 * The package music-metadata would do the same but is 345 kB.
 */
export function soundOf(bytes: Buffer): SoundFile | undefined {
  return bytes.toString('latin1', 0, 4) === 'OggS' ? ogg(bytes) : mp3(bytes);
}

/** Bitrates of layer III in kbit/s, by their index in a frame header: first for MPEG 1, then for MPEG 2 and 2.5. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
/** Samples per second, by the version number in the frame header (0 is MPEG 2.5, 2 is MPEG 2, 3 is MPEG 1). */
const RATES: Readonly<Record<number, readonly number[]>> = {
  0: [11_025, 12_000, 8000],
  2: [22_050, 24_000, 16_000],
  3: [44_100, 48_000, 32_000],
};

/** Adds up the durations of the frames after the tag. */
function mp3(bytes: Buffer): SoundFile | undefined {
  let duration = 0;
  let at = 0;
  if (bytes.toString('latin1', 0, 3) === 'ID3' && bytes.length >= 10) {
    at = 10 + [6, 7, 8, 9].reduce((size, index) => size * 128 + ((bytes[index] ?? 0) & 0x7f), 0);
  }
  while (at + 4 <= bytes.length) {
    const frame = mp3Frame(bytes.readUInt32BE(at));
    if (frame === undefined) break;
    duration += frame.duration;
    at += frame.size;
  }
  return duration === 0 ? undefined : { type: 'audio/mpeg', duration };
}

/** Parses a frame header; undefined for a layer other than III. */
function mp3Frame(header: number): { readonly size: number; readonly duration: number } | undefined {
  if (header >>> 21 !== 0x7_ff || ((header >>> 17) & 3) !== 1) return undefined;
  const version = (header >>> 19) & 3;
  const isFirst = version === 3;
  const rate = RATES[version]?.[(header >>> 10) & 3];
  const bitrate = BITRATES[isFirst ? 0 : 1][(header >>> 12) & 15];
  if (rate === undefined || !bitrate) return undefined;
  const samples = isFirst ? 1152 : 576;
  const padding = (header >>> 9) & 1;
  return {
    size: Math.floor((samples / 8) * ((bitrate * 1000) / rate)) + padding,
    duration: (1000 * samples) / rate,
  };
}

/** Reads the pages of Ogg: the first page contains the codec's header, and the last one the number of samples. */
function ogg(bytes: Buffer): SoundFile | undefined {
  let clock: { readonly rate: number; readonly skipped: number } | undefined;
  let samples = 0;
  for (let at = 0; at + 27 <= bytes.length; ) {
    if (bytes.toString('latin1', at, at + 4) !== 'OggS') return undefined;
    const segments = bytes.subarray(at + 27, at + 27 + (bytes[at + 26] ?? 0));
    const body = at + 27 + segments.length;
    clock ??= oggClock(bytes.subarray(body, body + 32));
    if (clock === undefined) return undefined;
    const position = bytes.readBigInt64LE(at + 6);
    // The position -1 means that no packet ends on the page.
    if (position > 0n) samples = Number(position);
    at = body + segments.reduce((sum, length) => sum + length, 0);
  }
  if (clock === undefined || samples <= clock.skipped) return undefined;
  return { type: 'audio/ogg', duration: (1000 * (samples - clock.skipped)) / clock.rate };
}

function oggClock(head: Buffer): { readonly rate: number; readonly skipped: number } | undefined {
  if (head.length >= 16 && head.toString('latin1', 0, 8) === 'OpusHead') {
    return { rate: 48_000, skipped: head.readUInt16LE(10) };
  }
  if (head.length >= 16 && head.toString('latin1', 0, 7) === '\x01vorbis') {
    const rate = head.readUInt32LE(12);
    return rate === 0 ? undefined : { rate, skipped: 0 };
  }
  return undefined;
}
