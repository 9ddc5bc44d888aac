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
  z.string().refine(isSnowflake, {
    params: { code: 'NUMBER_TYPE_COERCE', message: 'Value is not snowflake.' },
  });

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

/** A moment, as every answer spells it: ISO 8601 with microseconds and an offset. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
