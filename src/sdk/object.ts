import { Printed } from './printed.ts';

/**
 * Base class with the object rules of the SDK: construction and `assign` copy deeply, a move empties the source, and an
 * object may be null.
 *
 * In JavaScript every object is truthy and a class cannot define a conversion to boolean, so `IsValid` replaces the
 * SDK's conversion.
 */
export abstract class SdkObject<Fields extends object> extends Printed {
  #fields: Fields | null;

  /** Copies `other`; without `other` the object gets these fields. Throws TypeError for an object of another class. */
  protected constructor(other: SdkObject<Fields> | undefined, fields: Fields) {
    super();
    this.#fields = fields;
    if (other === undefined) return;
    this.#expect(other);
    this.#fields = copy(other.#fields);
  }

  /** Moves the content of `source` into a new object. */
  static move<T extends SdkObject<object>>(this: new () => T, source: T): T {
    return new this().moveFrom(source);
  }

  /** Whether the object is not null: false for `nullobj`, for its copies and for the source of a move. */
  IsValid(): boolean {
    return this.#fields !== null;
  }

  /** Makes this object a deep copy of `other`. Throws TypeError on `nullobj`. */
  assign(other: this): this {
    this.#writable();
    this.#expect(other);
    if (other !== this) this.#fields = copy(other.#fields);
    return this;
  }

  /**
   * Moves the content of `other` into this object; `other` becomes null. A move to itself has no effect. Throws
   * TypeError on `nullobj`.
   */
  moveFrom(other: this): this {
    this.#writable();
    this.#expect(other);
    if (other === this) return this;
    this.#fields = other.#fields;
    other.#fields = null;
    return this;
  }

  /** Fields of the object; null for a null object. */
  override toJSON(): object | null {
    if (this.#fields === null) return null;
    const entries = Object.entries(this.#fields).filter(([, value]) => value !== undefined);
    const isHidden = (key: string, value: unknown): boolean => value !== '' && this.secrets.includes(key);
    return Object.fromEntries(
      entries.map(([key, value]) => [key, isHidden(key, value) ? '[hidden]' : plain(value)]),
    );
  }

  /** Names of the fields that are not printed. */
  protected get secrets(): readonly string[] {
    return [];
  }

  /**
   * Whether all fields of both objects are equal, or both objects are null. Throws TypeError for an object of another
   * class.
   */
  protected same(other: SdkObject<Fields>): boolean {
    this.#expect(other);
    return SdkObject.#same(this.#fields, other.#fields);
  }

  /** Whether two field values are equal; objects are compared by content. */
  static #same(one: unknown, other: unknown): boolean {
    if (one === other) return true;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (one instanceof SdkObject)
      return other instanceof SdkObject && SdkObject.#same(one.#fields, other.#fields);
    const entries = Object.entries(one);
    const others = other as Readonly<Record<string, unknown>>;
    return (
      entries.length === Object.keys(other).length &&
      entries.every(([key, value]) => SdkObject.#same(value, others[key]))
    );
  }

  /** Returns the value of a field; an object is returned as a copy. Throws TypeError on a null object. */
  protected read<K extends keyof Fields>(field: K): Fields[K] {
    return copy(this.#held()[field]);
  }

  /** Sets one field; an object is stored as a copy. Throws TypeError on a null object. */
  protected write<K extends keyof Fields>(field: K, value: Fields[K]): void {
    this.#held()[field] = copy(value);
  }

  #held(): Fields {
    if (this.#fields !== null) return this.#fields;
    throw new TypeError(`${this.constructor.name} is null: it was moved elsewhere, or is a copy of nullobj`);
  }

  #writable(): void {
    if (Object.isFrozen(this)) throw new TypeError(`${this.constructor.name}.nullobj cannot be changed`);
  }

  #expect(other: unknown): void {
    const { constructor: own } = this;
    if (!(other instanceof own))
      throw new TypeError(`${own.name}: the other object must be of the same class`);
  }
}

/**
 * Creates the null constant of a class: an empty, frozen object. `name` is the class name, because the bundle shortens
 * the names of classes.
 */
export function nullObject<T extends SdkObject<object>>(name: string, made: T, other: T): T {
  // Error messages contain it.
  Object.defineProperty(made.constructor, 'name', { value: name });
  other.moveFrom(made);
  return Object.freeze(made);
}

/** Converts a field value into a form that JSON can contain. */
function plain(value: unknown): unknown {
  if (value instanceof SdkObject) return value.toJSON();
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? String(value) : value;
}

/** Copies the objects in a field value; all other values of a field are immutable. */
function copy<T>(value: T): T {
  if (value instanceof SdkObject) return new (value.constructor as new (other: T) => T)(value);
  if (Array.isArray(value)) return value.map(copy) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)])) as T;
}
