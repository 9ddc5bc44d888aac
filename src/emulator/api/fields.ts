import { createHash } from 'node:crypto';
import * as z from 'zod';
import { isSnowflake } from '../snowflake.ts';

// The vocabulary of what operations take: each has the platform's own word and sentence for what is wrong with it.

/** A text of so many characters. */
export const text = (least: number, most: number) =>
  z
    .string()
    .refine((value) => value.length >= least && value.length <= most, {
      params: { code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between ${least} and ${most} in length.` },
    })
    .meta({ minLength: least, maxLength: most });

/** A list of so many. */
export const list = <Item extends z.ZodType>(item: Item, least: number, most: number) =>
  z
    .array(item)
    .refine((value) => value.length >= least && value.length <= most, {
      params: { code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between ${least} and ${most} in length.` },
    })
    .meta({ minItems: least, maxItems: most });

/** One of several texts or numbers. */
export const choice = <const Values extends readonly (string | number)[]>(...values: Values) =>
  z.literal(values);

/** A whole number. */
export const integer = (least: number, most: number) =>
  z
    .int()
    .refine((value) => value >= least && value <= most, {
      params: { code: 'NUMBER_TYPE_MIN', message: `int value should be between ${least} and ${most}.` },
    })
    .meta({ minimum: least, maximum: most });

/** A whole number in a query. */
export const integerText = (least: number, most: number) =>
  z
    .string()
    .refine((value) => /^-?\d{1,15}$/.test(value), {
      params: { code: 'NUMBER_TYPE_COERCE', message: 'Value is not int.' },
    })
    .transform(Number)
    .pipe(integer(least, most));

/** Yes or no in a query. */
export const flagText = () =>
  z
    .string()
    .refine((value) => /^(true|false|1|0)$/i.test(value), {
      params: { code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' },
    })
    .transform((value) => /^(true|1)$/i.test(value));

/** An id. */
export const snowflake = () =>
  z.string().refine(isSnowflake, {
    params: { code: 'NUMBER_TYPE_COERCE', message: 'Value is not snowflake.' },
  });

/** A picture as it is sent, in a `data:` address: its bytes are not kept, their digest names it. */
export const image = () =>
  z
    .string()
    .refine((value) => /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(value), {
      params: { code: 'IMAGE_INVALID', message: 'Unsupported image type given' },
    })
    .transform((value) => createHash('sha256').update(value).digest('hex').slice(0, 32));

/** What may be left out, or be null. */
export const maybe = <Type extends z.ZodType>(type: Type) => z.optional(z.nullable(type));

/** A moment, as every answer spells it: ISO 8601 with microseconds and an offset. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
