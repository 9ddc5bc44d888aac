import * as z from 'zod';
import { didYouMean } from '../../../base/nearest.ts';
import { isSnowflake } from '../../../base/snowflake.ts';
import { PERMISSIONS, readPermissions } from '../permission-bits.ts';
import { isSameJson } from '../same-json.ts';
import { unknownKey } from '../unknown-key.ts';

// Building blocks of record declarations. Importing this file loads the schema library, so a declaration receives these
// parts as an argument instead.

/** A strict object. Its error for an unknown key suggests the most similar known key. */
export function table<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownKey(issue.keys[0] ?? '', Object.keys(shape)) : undefined,
  });
}

/** A table in a record. An absent table gets the defaults of its keys. */
export const section = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.prefault(table(shape), {} as never);

/** An id. */
export const snowflake = () =>
  z
    .string({
      error: (issue) =>
        typeof issue.input === 'number' || typeof issue.input === 'bigint'
          ? 'must be in quotes: an id does not fit a number'
          : undefined,
    })
    .check(
      z.refine(isSnowflake, 'must be a snowflake: a decimal number from 1 to 9223372036854775807, in quotes'),
    );

/** A text that is not empty. */
export const text = (maxLength: number) => z.string().check(z.minLength(1), z.maxLength(maxLength));
/** A text that may be empty. */
export const textOrEmpty = (maxLength: number) => z.string().check(z.maxLength(maxLength));
/** A text that matches a pattern. */
export const matching = (pattern: RegExp, error: string) => z.string().check(z.regex(pattern, error));
/** A text for which `isGood` holds. */
export const textThat = (isGood: (value: string) => boolean, maxLength: number, error: string) =>
  text(maxLength).check(z.refine(isGood, error));
/** A user's id or username; the default is the logged-in user. */
export const userOrMe = () => z._default(textOrEmpty(64), '');
/** The same, or null. */
export const userOrMeOrNobody = () => z._default(z.nullable(textOrEmpty(64)), '');
/** A value that only the emulator's own code sets, for a kind that fixtures never contain. */
export const internalValue = <Type>() => z.custom<Type>();
/** A JSON object with a maximum length of its text (characters). */
export const json = (maxLength = 65_536) =>
  z.custom<Readonly<Record<string, unknown>>>((value) => isJsonObject(value, maxLength), {
    error: `must be an object of texts, numbers, lists and the like, and at most ${maxLength} characters of JSON`,
  });
/** True or false, without a default. */
export const yesOrNo = () => z.boolean();
/** True or false, with a default. */
export const flag = (otherwise: boolean) => z._default(z.boolean(), otherwise);
/** A whole number from 0. */
export const count = (max: number) => whole(0, max);
/** A whole number. */
export const whole = (smallest: number, max: number) => z.int().check(z.gte(smallest), z.lte(max));
/** Any whole number. */
export const integer = () => z.int();
/** A number, fractions allowed. */
export const between = (smallest: number, max: number) => z.number().check(z.gte(smallest), z.lte(max));
/** A number whose range other code checks. */
export const anyNumber = () => z.number();
/** A text of limited length, or a number. */
export const textOrNumber = (maxLength: number) =>
  z.custom<string | number>(
    (value) => (typeof value === 'string' ? value.length <= maxLength : Number.isFinite(value)),
    { error: `must be a number, or a text of at most ${maxLength} characters` },
  );
/** A text whose form other code checks. */
export const anyText = () => z.string();
/** One of some texts. */
export const choice = <const Values extends readonly string[]>(...values: Values) => z.enum(values);
/** A list; the default is empty. */
export const list = <Type extends z.ZodType>(item: Type, maxItems: number) =>
  z._default(z.array(item).check(z.maxLength(maxItems)), []);
/** A required list; see {@link list} for an optional one. */
export const many = <Type extends z.ZodType>(item: Type, maxItems: number) =>
  z.array(item).check(z.maxLength(maxItems));
/** A list that is not empty; the default is `otherwise`. */
export const filledList = <Type extends z.ZodType>(
  item: Type,
  maxItems: number,
  otherwise: z.output<Type>[],
) => z._default(z.array(item).check(z.minLength(1), z.maxLength(maxItems)), otherwise);
/** Values by id. */
export const byId = <Type extends z.ZodType>(value: Type) => z._default(z.record(snowflake(), value), {});
/** Texts by name, limited in number and in the lengths of names and texts. */
export const texts = (maxEntries: number, maxNameLength: number, maxTextLength = maxNameLength) =>
  z
    .record(text(maxNameLength), textOrEmpty(maxTextLength))
    .check(
      z.refine((value) => Object.keys(value).length <= maxEntries, `must have ${maxEntries} entries at most`),
    );
/** A nullable value; the default is null. */
export const orNull = <Type extends z.ZodType>(type: Type) => z._default(z.nullable(type), null as never);
/** A type with a default. */
export const or = <Type extends z.ZodType>(type: Type, otherwise: z.output<Type>) =>
  z._default(type, otherwise as never);
/** An optional value whose default depends on the rest of the record: see {@link derived}. */
export const optional = <Type extends z.ZodType>(type: Type) => z.optional(type);
/**
 * A record with derived fields. `complete` owns its argument and should change it in place: for `{ ...written, more }`,
 * V8 creates a hidden class for each object, which takes as much memory as the record.
 */
export const derived = <Written, Row>(type: z.ZodType<Written>, complete: (written: Written) => Row) =>
  z.pipe(type, z.transform(complete));
/** Position of a record in its list; -1 when the fixture does not state it: see `positionField` of a declaration. */
export const position = (max: number) => z._default(count(max), -1);

/** One of several numbers, or the name of one of them. */
export const numberOrName = (names: Readonly<Record<string, number>>) => {
  const numbers = Object.values(names);
  return z.pipe(
    z.pipe(
      z.unknown(),
      z.transform((value) =>
        typeof value === 'string' ? (Object.hasOwn(names, value) ? names[value] : value) : value,
      ),
    ),
    z.custom<number>((value) => typeof value === 'number' && numbers.includes(value), {
      error: `must be one of ${Object.keys(names).join(', ')}, or their number: ${numbers.join(', ')}`,
    }),
  );
};

/**
 * Error text such as `; "ADMIN" is none` for the first name in a list that is not a permission, with the most similar
 * permission.
 */
function unknownPermission(written: unknown): string {
  const known = Object.keys(PERMISSIONS);
  const unknown = Array.isArray(written) ? written.find((name) => !known.includes(name)) : undefined;
  if (typeof unknown !== 'string') return '';
  const name = unknown.slice(0, 40);
  return `; ${JSON.stringify(name)} is none.${didYouMean(name, known)}`;
}

/** Permissions by their names, or their bits as a decimal number in a text. The number is the stored form. */
export const permissions = (otherwise: string) =>
  z._default(
    z.pipe(
      z.pipe(
        z.unknown(),
        z.transform((value) => readPermissions(value) ?? value),
      ),
      z.custom<string>((value) => typeof value === 'string' && readPermissions(value) !== undefined, {
        error: ({ input }) =>
          `must be a list of permissions such as ["VIEW_CHANNEL"], or their bits in quotes${unknownPermission(input)}`,
      }),
    ),
    otherwise as never,
  );

/** A time in ISO 8601, or a date of TOML. */
export const moment = () =>
  z.pipe(
    z.pipe(
      z.unknown(),
      // A date of TOML becomes a time in ISO 8601. An invalid date has no ISO form, so it stays unchanged and is
      // refused.
      z.transform((value) =>
        value instanceof Date && Number.isFinite(value.getTime())
          ? new Date(value.getTime()).toISOString()
          : value,
      ),
    ),
    z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' }),
  );

/** Whether JSON preserves an object; it does not preserve the dates and large integers of TOML. */
function isJsonObject(value: unknown, maxLength: number): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    const printed = JSON.stringify(value);
    return printed.length <= maxLength && isSameJson(JSON.parse(printed), value);
  } catch {
    return false;
  }
}
