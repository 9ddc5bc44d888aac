import { ApiError, invalidField, requiredField } from '../../api/api-error.ts';
import type { UploadedFile } from '../../api/file.ts';
import { faultOfLottie } from '../../files/lottie.ts';
import { pictureOf } from '../../files/picture.ts';
import type { MediaType } from '../../files/stored-records.ts';
import type { Guild } from '../records.ts';
import { STICKER_FORMATS } from './records.ts';

/** Limit of a side, in pixels. */
const MAX_SIDE_PX = 320;
const MAX_ANIMATION_MS = 5000;
/** Features of a guild that permit Lottie animations; one of them suffices. */
const LOTTIE_FEATURES = ['VERIFIED', 'PARTNERED'];

/** File of a new sticker. */
export interface StickerFile {
  readonly bytes: Buffer;
  readonly type: MediaType;
  readonly format: number;
}

/**
 * The sticker file in a request. @throws ApiError for a missing file, and for a file that is not valid in the guild.
 */
export function stickerFile(files: readonly UploadedFile[], { features }: Guild): StickerFile {
  const [file] = files;
  if (file === undefined) throw requiredField('file');
  const { bytes } = file;
  const picture = pictureOf(bytes);
  if (picture?.type === 'image/png' || picture?.type === 'image/gif') {
    const { size, duration = 0, type, animated } = picture;
    if (size === undefined || size.width > MAX_SIDE_PX || size.height > MAX_SIDE_PX)
      throw new ApiError('InvalidFileUploaded');
    if (duration > MAX_ANIMATION_MS) throw new ApiError('StickerAnimationDurationExceedsMaximumOf5Seconds');
    const png = animated ? STICKER_FORMATS.apng : STICKER_FORMATS.png;
    return { bytes, type, format: type === 'image/gif' ? STICKER_FORMATS.gif : png };
  }
  // A file that is not an image must be an animation, which begins as a JSON object.
  if (picture !== undefined || !/^\s*\{/.test(bytes.toString('latin1', 0, 64)))
    throw new ApiError('InvalidFileUploaded');
  if (!LOTTIE_FEATURES.some((name) => features.includes(name))) {
    throw invalidField(
      ['file'],
      'GUILD_FEATURE_MISSING',
      'The guild needs the feature VERIFIED or PARTNERED.',
    );
  }
  const fault = faultOfLottie(bytes);
  if (fault !== undefined) throw new ApiError(fault);
  return { bytes, type: 'application/json', format: STICKER_FORMATS.lottie };
}
