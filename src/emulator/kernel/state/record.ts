import type { output, ZodType } from 'zod';
import type { IndexOptions } from './row-index.ts';
import type * as parts from './schema-parts.ts';

/**
 * Building blocks of schemas. A declaration receives them as an argument, so that an idle emulator does not load them.
 */
export type SchemaParts = typeof parts;

/** Property that only some records of a kind have, such as channels that take messages. */
export interface RecordConstraint {
  /** Name of records without the property, for an error message such as "names a channel without messages". */
  readonly name: string;
  of(record: never): boolean;
}

/** Tables by name, as checks that compare different kinds read them. */
export type NamedTables = Readonly<Record<string, { get(key: string): unknown } | undefined>>;

/** Condition under which one record may refer to another record. */
export interface RelationCheck {
  /** Reason for an error message such as "names a role of another guild". */
  readonly errorText: string;
  of(record: never, target: never, tables: NamedTables): boolean;
}

/** A field that holds the key of a record of another kind, or a list of such keys. */
export interface Reference {
  readonly to: string;
  /** An alternative kind to which the key may refer; the checks of the target do not apply to targets of this kind. */
  readonly or?: string;
  /**
   * Effect when the target is removed or no longer meets `needs`: this record is removed too, the field becomes null
   * (in a list the entry is removed), or the target cannot be removed.
   */
  readonly onRemoval: 'remove' | 'null' | 'refuse';
  readonly needs?: RecordConstraint;
  readonly relationCheck?: RelationCheck;
  /** Whether the field's default in a fixture is the logged-in user. */
  readonly defaultsToMe?: boolean;
}

/** Parent record: the fixture contains this record in a list of its parent. */
export interface Within {
  readonly kind: string;
  /** Key of the list in the parent's fixture table. */
  readonly as: string;
  /** The field that refers to the parent; the fixture omits it. */
  readonly field: string;
}

/**
 * A row that exists together with every record of a kind. It is created with the record, and created again when it is
 * removed while the record stays.
 */
export interface DependentRow {
  readonly kind: string;
  /** Builds a row of `kind` with the same key as the record. */
  row(record: never): object;
}

/** Printed form of a field's values: names for its numbers, or a function that returns the printed value. */
export type PrintedForm = Readonly<Record<string, number>> | ((value: never) => unknown);

/** Validation error of one record, found without looking at other records. */
export interface RecordFault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

interface Declaration<Name extends string, Schema extends ZodType, Row> {
  /** Name of the table, and key of its records in a fixture. */
  readonly name: Name;
  /** Noun for one record in messages. */
  readonly noun: string;
  /** Description of the fixture key for the guide; absent for kinds that no fixture contains. */
  readonly about?: string;
  /** Schema of the record in a fixture, where a username may stand for a user's id. */
  readonly schema: (schemas: SchemaParts) => Schema;
  /** A check beyond the schema; undefined when the record is valid. */
  readonly check?: (row: Row) => RecordFault | undefined;
}

interface ManyDeclaration<Name extends string, Schema extends ZodType, Row, In, Transient>
  extends Declaration<Name, Schema, Row> {
  /** Fields that identify a record. */
  readonly key: readonly (keyof Row & string)[];
  /** Fields with an index, in addition to the fields with references. */
  readonly indexes?: { readonly [Field in keyof Row & string]?: IndexOptions };
  readonly references?: { readonly [Field in keyof Row & string]?: Reference };
  readonly within?: In;
  /**
   * Whether records live only as long as their subject, such as a connected app. A transient record is never written to
   * a text, and the state is saved and restored without it.
   */
  readonly transient?: Transient;
  /**
   * Whether a record only logs an action. The record is omitted when there is not enough memory for the action and its
   * log.
   */
  readonly note?: true;
  /** A field that is -1 until the record's position in its list is known. */
  readonly positionField?: keyof Row & string;
  /** Position of the first record of a list; default 0. */
  readonly firstPosition?: number;
  readonly creates?: DependentRow;
  /** Field whose value a fixture may use instead of a record's key to refer to the record. */
  readonly nameField?: keyof Row & string;
  /** Private fields: printed as null. */
  readonly hidden?: readonly (keyof Row & string)[];
  /** Fields whose printed form differs from the stored form. */
  readonly printedForms?: { readonly [Field in keyof Row & string]?: PrintedForm };
  /** Minimum number of records in a fixture. */
  readonly minCount?: number;
  /** The field with the digest of the record's file, or with the file. The field is indexed. */
  readonly file?: (keyof Row & string) & ('digest' | 'file');
}

interface OneDeclaration<Name extends string, Schema extends ZodType, Row>
  extends Declaration<Name, Schema, Row> {
  readonly singleton: true;
  /**
   * Fields that refer to other records. For a record that is a single value and itself a reference, the field name is
   * `''`.
   */
  readonly references?: {
    readonly [Field in Row extends string ? '' : keyof Row & string]?: Reference;
  };
}

/** A declared kind of record. `Row` is its type in the state. */
export interface RecordKind<
  Name extends string = string,
  Row = unknown,
  Singleton extends boolean = boolean,
  In extends Within | undefined = Within | undefined,
  Transient extends boolean = boolean,
> {
  readonly name: Name;
  /** Carries the type of a row; at run time the field has no value. */
  readonly row?: Row;
  readonly noun: string;
  readonly about: string | undefined;
  readonly singleton: Singleton;
  readonly key: readonly string[];
  schema(schemas: SchemaParts): ZodType;
  check(row: unknown): RecordFault | undefined;
  readonly indexes: ReadonlyMap<string, IndexOptions>;
  readonly references: ReadonlyMap<string, Reference>;
  readonly within: In;
  readonly transient: Transient;
  readonly isNote: boolean;
  readonly positionField: string | undefined;
  readonly firstPosition: number;
  readonly creates: DependentRow | undefined;
  readonly nameField: string | undefined;
  readonly hidden: readonly string[];
  readonly printedForms: Readonly<Record<string, PrintedForm | undefined>>;
  readonly minCount: number;
  /** The field that identifies the record's file. */
  readonly file: 'digest' | 'file' | undefined;
}

/** Type of a row of a kind in the state. */
export type RowOf<Kind> = Kind extends { readonly row?: infer Row } ? Exclude<Row, undefined> : never;

/** A type whose properties are readonly at every depth, because rows never change. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** Output type of a schema, for a declaration that names the type before the schema exists. */
export type WrittenBy<Schema extends (parts: SchemaParts) => ZodType> = Frozen<output<ReturnType<Schema>>>;

/** A row as its schema returns it, together with the field that refers to the parent. */
type RowWritten<Schema extends ZodType, In> = In extends Within
  ? Frozen<output<Schema>> & { readonly [Field in In['field']]: string }
  : Frozen<output<Schema>>;

/**
 * Declares a kind of record. The declaration determines its table, its indexes, its form in a fixture (read, patched,
 * compared, printed) and the effect of removed targets.
 */
export function defineRecord<
  const Name extends string,
  Schema extends ZodType,
  const In extends Within | undefined = undefined,
  const Transient extends boolean = false,
>(
  declaration: ManyDeclaration<Name, Schema, RowWritten<Schema, In>, In, Transient>,
): RecordKind<Name, RowWritten<Schema, In>, false, In, Transient>;
/** The same for a single record. */
export function defineRecord<const Name extends string, Schema extends ZodType>(
  declaration: OneDeclaration<Name, Schema, Frozen<output<Schema>>>,
): RecordKind<Name, Frozen<output<Schema>>, true, undefined, false>;
export function defineRecord(declaration: {
  readonly name: string;
  readonly noun: string;
  readonly about?: string;
  readonly singleton?: true;
  readonly schema: (schemas: SchemaParts) => ZodType;
  readonly check?: (row: never) => RecordFault | undefined;
  readonly key?: readonly string[];
  readonly indexes?: object;
  readonly references?: object;
  readonly within?: Within;
  readonly transient?: boolean;
  readonly note?: true;
  readonly positionField?: string;
  readonly firstPosition?: number;
  readonly creates?: DependentRow;
  readonly nameField?: string;
  readonly hidden?: readonly string[];
  readonly printedForms?: RecordKind['printedForms'];
  readonly minCount?: number;
  readonly file?: 'digest' | 'file';
}): RecordKind {
  const references = new Map(Object.entries<Reference>({ ...declaration.references }));
  const { within } = declaration;
  // A record cannot exist without its parent.
  if (within !== undefined) references.set(within.field, { to: within.kind, onRemoval: 'remove' });
  const found = [
    ...references.keys(),
    ...(declaration.nameField === undefined ? [] : [declaration.nameField]),
  ];
  return {
    name: declaration.name,
    noun: declaration.noun,
    about: declaration.about,
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
    positionField: declaration.positionField,
    firstPosition: declaration.firstPosition ?? 0,
    creates: declaration.creates,
    nameField: declaration.nameField,
    hidden: declaration.hidden ?? [],
    printedForms: declaration.printedForms ?? {},
    minCount: declaration.minCount ?? 0,
    file: declaration.file,
  };
}
