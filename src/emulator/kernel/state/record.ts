import type { output, ZodType } from 'zod';
import type { IndexOptions } from './row-index.ts';
import type * as parts from './schema-parts.ts';

/** What schemas are made of; handed to a declaration, because an idle emulator does not load it. */
export type SchemaParts = typeof parts;

/** What only some records have, such as the channels that take messages. */
export interface Quality {
  /** In the words of an error: "names a channel without messages". */
  readonly name: string;
  of(record: never): boolean;
}

/** Tables by name, as far as records of one kind look at those of another. */
export type NamedTables = Readonly<Record<string, { get(key: string): unknown } | undefined>>;

/** Whether a record may be referred to by this one in particular. */
export interface Fit {
  /** In the words of an error: "names a role of another guild". */
  readonly otherwise: string;
  of(record: never, target: never, tables: NamedTables): boolean;
}

/** A field that holds the key of a record of another kind, or a list of such keys. */
export interface Reference {
  readonly to: string;
  /** Another kind, of which a record may be named instead; the quality and the fit are not for those. */
  readonly or?: string;
  /**
   * What happens when the record that is referred to goes, or loses the quality: this one goes too, the field becomes
   * null (in a list the entry goes), or the other may not go.
   */
  readonly gone: 'remove' | 'null' | 'refuse';
  readonly needs?: Quality;
  readonly fits?: Fit;
  /** Left out in a text it is the logged-in user. */
  readonly orMe?: boolean;
}

/** Where a record is written that stands below another. */
export interface Within {
  readonly kind: string;
  /** Key of the list in the record above. */
  readonly as: string;
  /** The field that refers to the record above; it is not written. */
  readonly field: string;
}

/** What is there with every record of a kind: put there when the record comes, and again when it goes without it. */
export interface Companion {
  readonly kind: string;
  /** A record of that kind with the same key. */
  row(record: never): object;
}

/** How the values of a field are printed: the names of numbers, or what says it in words. */
export type Spelling = Readonly<Record<string, number>> | ((value: never) => unknown);

/** What is wrong with a record in itself. */
export interface RecordFault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

interface Declaration<Name extends string, Schema extends ZodType, Row> {
  /** Name of the table, and key of the fixture. */
  readonly name: Name;
  /** What one record is called. */
  readonly noun: string;
  /** Shape of the record in a text, where a user may be named by username. */
  readonly schema: (schemas: SchemaParts) => Schema;
  /** What the schema cannot tell; undefined when nothing is wrong. */
  readonly check?: (row: Row) => RecordFault | undefined;
}

interface ManyDeclaration<Name extends string, Schema extends ZodType, Row, In, Transient>
  extends Declaration<Name, Schema, Row> {
  /** The fields that tell two records apart. */
  readonly key: readonly (keyof Row & string)[];
  /** Fields that records are found by, besides those that refer to others. */
  readonly indexes?: { readonly [Field in keyof Row & string]?: IndexOptions };
  readonly references?: { readonly [Field in keyof Row & string]?: Reference };
  readonly within?: In;
  /**
   * Lives no longer than what it is about, such as a connected app: nobody writes it into a text, and the state is saved
   * and put back without it.
   */
  readonly transient?: Transient;
  /** Only notes what was done: left out where there is no memory for both. */
  readonly note?: true;
  /** A field that is -1 until it is known where in its list the record stands. */
  readonly placed?: keyof Row & string;
  /** Where the first of its list stands; default 0. */
  readonly placedFrom?: number;
  readonly brings?: Companion;
  /** A field by which a text may refer to a record instead of its key. */
  readonly named?: keyof Row & string;
  /** Fields that are nobody's business: shown as null. */
  readonly hidden?: readonly (keyof Row & string)[];
  /** Fields that are printed in another way than they are kept. */
  readonly spelled?: { readonly [Field in keyof Row & string]?: Spelling };
  /** A fixture has at least so many. */
  readonly least?: number;
  /** The field with the digest of its file, or with the file. Records are found by it. */
  readonly file?: (keyof Row & string) & ('digest' | 'file');
}

interface OneDeclaration<Name extends string, Schema extends ZodType, Row>
  extends Declaration<Name, Schema, Row> {
  readonly singleton: true;
  /** Fields that refer to others; of a record that is a single value, the reference itself as `''`. */
  readonly references?: {
    readonly [Field in Row extends string ? '' : keyof Row & string]?: Reference;
  };
}

/** A declared kind of record. `Row` is what the state holds. */
export interface RecordKind<
  Name extends string = string,
  Row = unknown,
  Singleton extends boolean = boolean,
  In extends Within | undefined = Within | undefined,
  Transient extends boolean = boolean,
> {
  readonly name: Name;
  /** Only a type: there is no value. */
  readonly row?: Row;
  readonly noun: string;
  readonly singleton: Singleton;
  readonly key: readonly string[];
  schema(schemas: SchemaParts): ZodType;
  check(row: unknown): RecordFault | undefined;
  readonly indexes: ReadonlyMap<string, IndexOptions>;
  readonly references: ReadonlyMap<string, Reference>;
  readonly within: In;
  readonly transient: Transient;
  readonly isNote: boolean;
  readonly placed: string | undefined;
  readonly placedFrom: number;
  readonly brings: Companion | undefined;
  readonly named: string | undefined;
  readonly hidden: readonly string[];
  readonly spelled: Readonly<Record<string, Spelling | undefined>>;
  readonly least: number;
  /** The field that tells its file. */
  readonly file: 'digest' | 'file' | undefined;
}

/** What the state holds of a kind. */
export type RowOf<Kind> = Kind extends { readonly row?: infer Row } ? Exclude<Row, undefined> : never;

/** Nothing of a row can be changed. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** What a schema gives, for a declaration that needs to name it before it is made. */
export type WrittenBy<Schema extends (parts: SchemaParts) => ZodType> = Frozen<output<ReturnType<Schema>>>;

/** A row as its schema gives it, with the field that refers to the record above. */
type RowWritten<Schema extends ZodType, In> = In extends Within
  ? Frozen<output<Schema>> & { readonly [Field in In['field']]: string }
  : Frozen<output<Schema>>;

/**
 * Declares a kind of record: from this come its table with its indexes, how a fixture is read, patched, compared and
 * printed, and what happens to a record when one that it refers to goes.
 */
export function defineRecord<
  const Name extends string,
  Schema extends ZodType,
  const In extends Within | undefined = undefined,
  const Transient extends boolean = false,
>(
  declaration: ManyDeclaration<Name, Schema, RowWritten<Schema, In>, In, Transient>,
): RecordKind<Name, RowWritten<Schema, In>, false, In, Transient>;
/** The same for a record that there is one of. */
export function defineRecord<const Name extends string, Schema extends ZodType>(
  declaration: OneDeclaration<Name, Schema, Frozen<output<Schema>>>,
): RecordKind<Name, Frozen<output<Schema>>, true, undefined, false>;
export function defineRecord(declaration: {
  readonly name: string;
  readonly noun: string;
  readonly singleton?: true;
  readonly schema: (schemas: SchemaParts) => ZodType;
  readonly check?: (row: never) => RecordFault | undefined;
  readonly key?: readonly string[];
  readonly indexes?: object;
  readonly references?: object;
  readonly within?: Within;
  readonly transient?: boolean;
  readonly note?: true;
  readonly placed?: string;
  readonly placedFrom?: number;
  readonly brings?: Companion;
  readonly named?: string;
  readonly hidden?: readonly string[];
  readonly spelled?: RecordKind['spelled'];
  readonly least?: number;
  readonly file?: 'digest' | 'file';
}): RecordKind {
  const references = new Map(Object.entries<Reference>({ ...declaration.references }));
  const { within } = declaration;
  // It cannot be without the one above it.
  if (within !== undefined) references.set(within.field, { to: within.kind, gone: 'remove' });
  const found = [...references.keys(), ...(declaration.named === undefined ? [] : [declaration.named])];
  return {
    name: declaration.name,
    noun: declaration.noun,
    singleton: declaration.singleton ?? false,
    key: declaration.key ?? [],
    schema: declaration.schema,
    check: (row) => declaration.check?.(row as never),
    indexes: new Map([
      ...found.map((field) => [field, {}] as const),
      ...Object.entries<IndexOptions>({ ...declaration.indexes }),
    ]),
    references,
    within,
    transient: declaration.transient ?? false,
    isNote: declaration.note ?? false,
    placed: declaration.placed,
    placedFrom: declaration.placedFrom ?? 0,
    brings: declaration.brings,
    named: declaration.named,
    hidden: declaration.hidden ?? [],
    spelled: declaration.spelled ?? {},
    least: declaration.least ?? 0,
    file: declaration.file,
  };
}
