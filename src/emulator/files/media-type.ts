import { pictureOf } from './picture.ts';
import { soundOf } from './sound.ts';

/**
 * Media type of a picture, a sound or a video by its bytes, whatever its name says; undefined for anything else. No
 * format that a browser would carry out, such as SVG or HTML, is among them.
 */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  return pictureOf(bytes)?.type ?? videoOf(bytes) ?? soundOf(bytes)?.type ?? waveOf(bytes);
}

/** The box of an MP4, or the head of a Matroska file, which WebM is. */
function videoOf(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (/^....ftyp(?:isom|iso[2-9]|mp4[12]|avc1|M4V |dash)/s.test(head)) return 'video/mp4';
  return head.startsWith('\x1a\x45\xdf\xa3') ? 'video/webm' : undefined;
}

function waveOf(bytes: Buffer): string | undefined {
  return /^RIFF....WAVE/s.test(bytes.toString('latin1', 0, 12)) ? 'audio/wav' : undefined;
}
