import { ApiError } from '../../api/api-error.ts';
import { type SoundFile, soundOf } from '../../files/sound.ts';

const MAX_SOUND_BYTES = 512 * 1024;
const MAX_SOUND_MS = 5200;

/**
 * Limit of a request with a sound, in bytes. It exceeds the sound limit, so that a slightly larger sound fails with
 * its own error code.
 */
export const MAX_SOUND_REQUEST_BYTES = 2 * 1024 * 1024;

/** A validated sound from a request. @throws ApiError for one that is too large, too long, or no sound. */
export function checkedSound(bytes: Buffer): SoundFile & { readonly bytes: Buffer } {
  if (bytes.length > MAX_SOUND_BYTES) {
    throw new ApiError('FileUploadedExceedsMaximumSize');
  }
  const sound = soundOf(bytes);
  if (sound === undefined) {
    throw new ApiError('ProvidedFileTypeIsInvalid');
  }
  if (sound.duration > MAX_SOUND_MS) {
    throw new ApiError('ProvidedFileDurationExceedsMaximumLength');
  }
  return { ...sound, bytes };
}
