import { ApiError } from '../../api/api-error.ts';
import { type SoundFile, soundOf } from '../../files/sound.ts';

const FILE_TOO_LARGE = 50045;
const INVALID_TYPE = 50123;
const TOO_LONG = 50124;

const LARGEST = 512 * 1024;
const LONGEST_MS = 5200;

/** Largest request with a sound: what is a little too large is told so by its code. */
export const LARGEST_SOUND_REQUEST = 2 * 1024 * 1024;

/** A sound that was sent. @throws ApiError for one that is too large, too long, or none. */
export function checkedSound(bytes: Buffer): SoundFile & { readonly bytes: Buffer } {
  if (bytes.length > LARGEST) {
    throw new ApiError(400, 'File uploaded exceeds the maximum size', { code: FILE_TOO_LARGE });
  }
  const sound = soundOf(bytes);
  if (sound === undefined) {
    throw new ApiError(400, 'The provided file type is invalid.', { code: INVALID_TYPE });
  }
  if (sound.duration > LONGEST_MS) {
    const message = 'The provided file duration exceeds maximum of 5.2 seconds.';
    throw new ApiError(400, message, { code: TOO_LONG });
  }
  return { ...sound, bytes };
}
