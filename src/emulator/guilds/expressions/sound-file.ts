import { ApiError } from '../../api/api-error.ts';
import { type SoundFile, soundOf } from '../../files/sound.ts';

const MAX_SOUND_BYTES = 512 * 1024;
const MAX_SOUND_MS = 5200;

/**
 * Maximum size of a request with a sound, in bytes. It is larger than the limit of the sound, so that a slightly too
 * large sound fails with its own error code.
 */
export const MAX_SOUND_REQUEST_BYTES = 2 * 1024 * 1024;

/** A validated sound from a request. @throws ApiError for a file that is too large, too long, or not a sound. */
export function checkedSound(bytes: Buffer): SoundFile & { readonly bytes: Buffer } {
  if (bytes.length > MAX_SOUND_BYTES) throw new ApiError('FileUploadedExceedsMaximumSize');
  const sound = soundOf(bytes);
  if (sound === undefined) throw new ApiError('ProvidedFileTypeIsInvalid');
  if (sound.duration > MAX_SOUND_MS) throw new ApiError('ProvidedFileDurationExceedsMaximumLength');
  return { ...sound, bytes };
}
