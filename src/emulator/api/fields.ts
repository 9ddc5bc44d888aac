import * as z from 'zod';
import { isSnowflake } from '../../base/snowflake.ts';
import { ownText, unlessBlank } from '../kernel/own-text.ts';
import { isRealDay } from '../kernel/time-text.ts';

// Field types of the operations. Each type reports invalid values with the platform's own code and message.

/** Options of a schema's `refine`: the platform's code and message for a value that is refused. */
export function fault(code: string, message: string) {
  return { params: { code, message } };
}

/** Memoizes an immutable schema, because creating one takes longer than most requests. */
function once<Args extends readonly number[], Shape>(
  make: (...args: Args) => Shape,
): (...args: Args) => Shape {
  const made = new Map<string, Shape>();
  return (...args) => {
    const key = args.join(' ');
    const shape = made.get(key) ?? make(...args);
    made.set(key, shape);
    return shape;
  };
}

/** A text with a length between two limits. */
export const text = once((minLength: number, maxLength: number) =>
  z
    .string()
    .refine(
      (value) => value.length >= minLength && value.length <= maxLength,
      fault('BASE_TYPE_BAD_LENGTH', `Must be between ${minLength} and ${maxLength} in length.`),
    )
    .meta({ minLength: minLength, maxLength: maxLength }),
);

/** A list with a length between two limits. */
export const list = <Item extends z.ZodType>(item: Item, minLength: number, maxLength: number) =>
  z
    .array(item)
    .refine(
      (value) => value.length >= minLength && value.length <= maxLength,
      fault('BASE_TYPE_BAD_LENGTH', `Must be between ${minLength} and ${maxLength} in length.`),
    )
    .meta({ minItems: minLength, maxItems: maxLength });

/** A list of distinct values with a length between two limits. */
export const set = <Item extends z.ZodType>(item: Item, minLength: number, maxLength: number) =>
  list(item, minLength, maxLength)
    // A list that is too long has one fault, and is not searched.
    .refine(
      (values) => values.length > maxLength || new Set(values).size === values.length,
      fault('SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value'),
    )
    .meta({ minItems: minLength, maxItems: maxLength, uniqueItems: true });

/** A text with a maximum length. */
export const textUpTo = once((maxLength: number) =>
  z
    .string()
    .refine(
      (value) => value.length <= maxLength,
      fault('BASE_TYPE_MAX_LENGTH', `Must be ${maxLength} or fewer in length.`),
    )
    .meta({ maxLength: maxLength }),
);

/** A text with a maximum length. A text of white space alone becomes empty, as on the platform. */
export const writtenText = once((maxLength: number) => textUpTo(maxLength).transform(unlessBlank));

/** A text with a maximum length, both without the white space at its ends, as in embeds. */
export const trimmedText = once((maxLength: number) =>
  z
    .string()
    .transform((value) => ownText(value.trim()))
    .pipe(textUpTo(maxLength)),
);

/** The same, with at least one character. */
export const filledText = once((maxLength: number) =>
  trimmedText(maxLength).refine(
    (value) => value !== '',
    fault('BASE_TYPE_REQUIRED', 'This field is required'),
  ),
);

/** A map of texts, with limits on the number of pairs and on the lengths of names and values. */
export const textMap = once((pairs: number, maxNameLength: number, maxValueLength: number) =>
  z
    .record(z.string(), textUpTo(maxValueLength))
    .refine(
      (value) => Object.keys(value).every((name) => name.length <= maxNameLength),
      fault('BASE_TYPE_MAX_LENGTH', `Keys must be ${maxNameLength} or fewer in length.`),
    )
    .refine(
      (value) => Object.keys(value).length <= pairs,
      fault('BASE_TYPE_BAD_LENGTH', `Must be between 0 and ${pairs} in length.`),
    )
    .meta({ maxProperties: pairs }),
);

/** A whole number in a range. */
export const integer = once((min: number, max: number) =>
  z
    .int()
    .refine(
      (value) => value >= min,
      fault('NUMBER_TYPE_MIN', `int value should be greater than or equal to ${min}.`),
    )
    .refine(
      (value) => value <= max,
      fault('NUMBER_TYPE_MAX', `int value should be less than or equal to ${max}.`),
    )
    .meta({ minimum: min, maximum: max }),
);

const notSnowflake = fault('NUMBER_TYPE_COERCE', 'Value is not snowflake.');

/** JSON Schema format of an id. In fields of this format, the body reader also accepts numbers. */
export const SNOWFLAKE_FORMAT = 'snowflake';
/** JSON Schema format of a message's nonce, which may be a 64-bit integer. */
export const NONCE_FORMAT = 'nonce';

/**
 * Whether a text is an id in a request: a snowflake, or 0, which no record has. Libraries send 0 for the beginning of a
 * list and for "none".
 */
export function isRequestId(text: string): boolean {
  return text === '0' || isSnowflake(text);
}

/** A text that may be an id, or an id written as a number. */
export const idText = once(() => z.union([z.string(), z.int().transform(String)]));

/** An id, as a text or as a number, which some libraries send. */
export const snowflake = once(() =>
  idText().refine(isRequestId, notSnowflake).meta({ format: SNOWFLAKE_FORMAT }),
);

/** The id of a file: a snowflake for an existing file, or the index (from 0) of a new file in the request. */
export const fileId = once(() =>
  idText()
    .refine((value) => /^\d{1,19}$/.test(value), notSnowflake)
    .meta({ format: SNOWFLAKE_FORMAT }),
);

/**
 * The nonce of a message: a text, or a 64-bit integer. An integer that a double would round arrives as the text of its
 * digits.
 */
export const messageNonce = once(() => z.union([textUpTo(25), z.int()]).meta({ format: NONCE_FORMAT }));

/** Distinct ids, as a list or as a comma-separated text, which forms and queries use. */
export const idList = once((maxCount: number) =>
  z
    .union([z.string(), z.array(idText().meta({ format: SNOWFLAKE_FORMAT })).meta({ uniqueItems: true })])
    .transform((value) => [value].flat().flatMap((text) => text.split(',').map((id) => ownText(id.trim()))))
    .transform((ids) => (ids.length === 1 && ids[0] === '' ? [] : ids))
    .superRefine((ids, context) => {
      for (const [index, id] of ids.entries()) {
        if (!isRequestId(id)) context.addIssue({ code: 'custom', path: [index], input: id, ...notSnowflake });
      }
      const bad = (code: string, message: string): void =>
        context.addIssue({ code: 'custom', input: ids, params: { code, message } });
      if (ids.length > maxCount) bad('BASE_TYPE_MAX_LENGTH', `Must be ${maxCount} or fewer in length.`);
      if (new Set(ids).size < ids.length) {
        bad('SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value');
      }
    }),
);

/** A value that may be absent or null. Both mean the same. */
export const maybe = <Type extends z.ZodType>(type: Type) =>
  z.optional(z.nullable(type).transform((value) => value ?? undefined));

/** An id that may be absent. Null and 0 mean the same as an absent id. */
export const maybeId = once(() =>
  z.nullish(snowflake()).transform((id) => (id == null || id === '0' ? undefined : id)),
);

// Every value of a query arrives as text, so the types of query fields parse the text.

/** An integer in a query. */
export const queryInteger = once((min: number, max: number) =>
  z
    .string()
    .refine((value) => /^-?\d{1,15}$/.test(value), fault('NUMBER_TYPE_COERCE', 'Value is not int.'))
    .transform(Number)
    .pipe(integer(min, max)),
);

/** A time in a query or a body, in ISO 8601. It is parsed to milliseconds since the Unix epoch. */
export const moment = once(() =>
  z
    .string()
    .refine(
      (value) =>
        /^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}(Z|[+-]\d{2}:\d{2})?$/.test(value) &&
        !Number.isNaN(Date.parse(value)) &&
        isRealDay(value),
      fault('DATE_TIME_TYPE_PARSE', 'Could not parse the value as a date and time.'),
    )
    .transform((value) => Date.parse(/Z|[+-]\d{2}:\d{2}$/.test(value) ? value : `${value}Z`)),
);

/** One of a fixed set of texts or numbers. */
export const choice = <const Values extends readonly (string | number)[]>(...values: Values) =>
  z.literal(values);

/** A boolean in a query. */
export const flagText = () =>
  z
    .string()
    .refine(
      (value) => /^(true|false|1|0)$/i.test(value),
      fault('BOOLEAN_TYPE_CONVERT', 'Must be either true or false.'),
    )
    .transform((value) => /^(true|1)$/i.test(value));

/** A value that changes nothing when it is absent, and clears the field when it is null. */
export const clearable = <Type extends z.ZodType>(type: Type) => z.optional(z.nullable(type));

/** JSON Schema format of a permission set. The aliases of older API versions find permission fields by this format. */
export const PERMISSIONS_FORMAT = 'permissions';

/** A permission set in a reply: the decimal number of its bits, as a text. */
export const permissionSet = () => z.string().meta({ format: PERMISSIONS_FORMAT });

/** A time in a reply: ISO 8601 with microseconds and an offset. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}

/** The shape of an object in replies, by the name that the reference has for it. */
export const namedShape = <Fields extends z.ZodRawShape>(id: string, fields: Fields) =>
  z.object(fields).meta({ id });
