import { ApiError } from '../../api/api-error.ts';
import { type SoundFile, soundOf } from '../../files/sound.ts';

const LARGEST = 512 * 1024;
const LONGEST_MS = 5200;

/** Largest request with a sound: what is a little too large is told so by its code. */
export const LARGEST_SOUND_REQUEST = 2 * 1024 * 1024;

/** A sound that was sent. @throws ApiError for one that is too large, too long, or none. */
export function checkedSound(bytes: Buffer): SoundFile & { readonly bytes: Buffer } {
  if (bytes.length > LARGEST) {
    throw new ApiError('FileUploadedExceedsMaximumSize');
  }
  const sound = soundOf(bytes);
  if (sound === undefined) {
    throw new ApiError('ProvidedFileTypeIsInvalid');
  }
  if (sound.duration > LONGEST_MS) {
    throw new ApiError('ProvidedFileDurationExceedsMaximumLength');
  }
  return { ...sound, bytes };
}
