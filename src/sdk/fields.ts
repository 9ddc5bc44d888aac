import { SdkObject } from './object.ts';
import { type Id, oneOf, optionalEnum, optionalText, uint64 } from './values.ts';

/** One field of an object: its first value, and the check of a value that a game sets. */
export interface Field<Value, Input> {
  readonly initial: Value;
  /** Returns the value to store. Throws TypeError or RangeError that names the field. */
  readonly check: (name: string, value: Input) => Value;
}

/** Fields of an object, by the name of the method that returns each. */
interface Fields {
  readonly [name: string]: Field<unknown, never>;
}

type ValuesOf<Table extends Fields> = {
  [Name in keyof Table & string as Uncapitalize<Name>]: Table[Name]['initial'];
};

/** Methods of the fields: `Name` returns a value and `SetName` sets it. */
type Accessors<Table extends Fields> = {
  [Name in keyof Table]: () => Table[Name]['initial'];
} & {
  [Name in keyof Table & string as `Set${Name}`]: (value: Parameters<Table[Name]['check']>[1]) => void;
};

type ObjectOf<Table extends Fields, More extends object> = SdkObject<ValuesOf<Table> & More> &
  Accessors<Table>;

/** Base class of objects with the fields of a table, and with further values. */
export interface ObjectClass<Table extends Fields, More extends object = object>
  extends Pick<typeof SdkObject, 'move'> {
  new (other?: ObjectOf<Table, More>): ObjectOf<Table, More>;
}

/**
 * Returns the base class of objects with these fields, each with its two methods. `more` are fields without methods,
 * with their first values.
 */
export function objectOf<Table extends Fields, More extends object = object>(
  table: Table,
  more = {} as More,
): ObjectClass<Table, More> {
  const fields = Object.entries(table).map(([name, { initial, check }]) => {
    const field = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    return { name, field, initial, check: check as Field<unknown, unknown>['check'] };
  });
  const values = Object.fromEntries(fields.map(({ field, initial }) => [field, initial]));
  abstract class Base extends SdkObject<Record<string, unknown>> {
    constructor(other?: SdkObject<Record<string, unknown>>) {
      super(other, { ...values, ...more });
    }

    static {
      for (const { name, field, check } of fields) {
        // Computed names make the methods' names appear in stack traces.
        const methods = {
          [name](this: Base): unknown {
            return this.read(field);
          },
          [`Set${name}`](this: Base, value: unknown): void {
            this.write(field, check(name, value));
          },
        };
        for (const [key, value] of Object.entries(methods))
          Object.defineProperty(Base.prototype, key, { value, configurable: true, writable: true });
      }
    }
  }
  return Base as never;
}

/** A text, '' unless it is set. */
export const text: Field<string, string | undefined> = {
  initial: '',
  check: (name, value) => optionalText(name, value) ?? '',
};

/** A text that may be unset. */
export const unsetText: Field<string | undefined, string | undefined> = {
  initial: undefined,
  check: optionalText,
};

/** An id that may be unset: a bigint or its decimal text. */
export const unsetId: Field<bigint | undefined, Id | undefined> = {
  initial: undefined,
  check: (name, value) => (value === undefined ? undefined : uint64(name, value)),
};

/** A number up to 64 bits, 0 unless it is set: a bigint or its decimal text. */
export const number64: Field<bigint, Id | undefined> = {
  initial: 0n,
  check: (name, value) => (value === undefined ? 0n : uint64(name, value)),
};

/** A whole number from 0 to `max`, 0 unless it is set; `expected` completes "must be". */
export function bounded(max: number, expected: string): Field<number, number | undefined> {
  return {
    initial: 0,
    check: (name, value = 0) => {
      if (Number.isSafeInteger(value) && value >= 0 && value <= max) return value;
      throw new RangeError(`${name}: must be ${expected}`);
    },
  };
}

type Enumeration<T extends number> = { readonly [name: string]: T };

/** A value of an enumeration, which undefined resets to the first value. */
export function choice<T extends number>(values: Enumeration<T>, initial: T): Field<T, T | undefined> {
  return { initial, check: (name, value) => optionalEnum(name, value, values) ?? initial };
}

/** A value of an enumeration that may be unset. */
export function unsetChoice<T extends number>(values: Enumeration<T>): Field<T | undefined, T | undefined> {
  return { initial: undefined, check: (name, value) => optionalEnum(name, value, values) };
}

/** A value of an enumeration that cannot be unset. */
export function neededChoice<T extends number>(values: Enumeration<T>, initial: T): Field<T, T> {
  return { initial, check: (name, value) => oneOf(name, value, values) };
}

/** An object of a class, which may be unset. */
export function part<T>(expected: new () => T): Field<T | undefined, T | undefined> {
  return { initial: undefined, check: (name, value) => instanceOf(name, value, expected) };
}

/** Throws TypeError that names the field and the class. */
export function instanceOf<T>(name: string, value: T | undefined, expected: new () => T): T | undefined {
  if (value === undefined || value instanceof expected) return value;
  throw new TypeError(`${name}: must be an ${expected.name}, or undefined to unset it`);
}
