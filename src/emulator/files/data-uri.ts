import * as z from 'zod';
import { invalidField, invalidForm } from '../api/api-error.ts';
import { pictureHash } from '../api/picture.ts';
import { type Picture, pictureOf } from './picture.ts';

const UNREADABLE = { code: 'IMAGE_INVALID', message: 'Unsupported image type given' };

/** Schema of a file in JSON: a `data:` URL, which is parsed to its bytes. */
export function dataUri(kind: 'image' | 'audio', fault = UNREADABLE) {
  const form = new RegExp(`^data:${kind}/[a-z0-9.+-]{1,32};base64,[A-Za-z0-9+/]*={0,2}$`);
  return z
    .string()
    .refine((value) => form.test(value), { params: fault })
    .transform((value) => Buffer.from(value.slice(value.indexOf(',') + 1), 'base64'));
}

/** Schema of a picture of which only the hash is stored: an avatar, an icon, a banner. */
export const image = () =>
  dataUri('image')
    .refine((bytes) => pictureOf(bytes) !== undefined, { params: UNREADABLE })
    .transform(pictureHash);

/**
 * A valid picture with its properties. @throws ApiError 50035 for a file that is no picture, and for a picture that is
 * too large.
 */
export function checkedPicture(
  bytes: Buffer,
  field: string,
  maxBytes: number,
): Picture & { readonly bytes: Buffer } {
  if (bytes.length > maxBytes) {
    const message = `File cannot be larger than ${(maxBytes / 1024).toFixed(1)} kb.`;
    throw invalidField([field], 'BINARY_TYPE_MAX_SIZE', message);
  }
  const picture = pictureOf(bytes);
  if (picture === undefined) throw invalidForm([{ path: [field], ...UNREADABLE }]);
  return { ...picture, bytes };
}
