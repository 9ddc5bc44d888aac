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

/** An id. */
export const snowflake = () =>
  z
    .union([z.string(), z.number().transform(String)])
    .refine(isSnowflake, { params: { code: 'NUMBER_TYPE_COERCE', message: 'Value is not snowflake.' } })
    .meta({ type: 'string', format: 'snowflake' });

/** A whole number. */
export const whole = (least: number, most: number) =>
  z
    .number()
    .refine(Number.isSafeInteger, {
      params: { code: 'NUMBER_TYPE_COERCE', message: 'Value is not int.' },
      abort: true,
    })
    .refine((value) => value >= least, {
      params: {
        code: 'NUMBER_TYPE_MIN',
        message: `int value should be greater than or equal to ${least}.`,
      },
    })
    .refine((value) => value <= most, {
      params: { code: 'NUMBER_TYPE_MAX', message: `int value should be less than or equal to ${most}.` },
    })
    .meta({ type: 'integer', minimum: least, maximum: most });

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

/** True or false in a query, as the platform reads it. */
export const flag = () =>
  z
    .enum(['true', 'True', '1', 'false', 'False', '0'])
    .transform((value) => value === 'true' || value === 'True' || value === '1')
    .meta({ type: 'boolean' });

/** A whole number in a query. */
export const digits = (least: number, most: number) =>
  z
    .string()
    .refine((value) => /^-?\d{1,15}$/.test(value), {
      params: { code: 'NUMBER_TYPE_COERCE', message: 'Value is not int.' },
      abort: true,
    })
    .transform(Number)
    .pipe(whole(least, most))
    .meta({ type: 'integer', minimum: least, maximum: most });

/** A moment, as every answer spells it: ISO 8601 with microseconds and an offset. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
