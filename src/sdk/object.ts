import { Printed } from './printed.ts';

/**
 * The object rules of the SDK: copied deeply by construction and `assign`, emptied by a move, and possibly null.
 * JavaScript has no conversion to bool of its own: an object is always truthy, `IsValid` says whether it holds one.
 */
export abstract class SdkObject<Fields extends object> extends Printed {
  #fields: Fields | null;

  /** A copy of `other`, or without one a new object with these fields. Throws TypeError for another class. */
  protected constructor(other: SdkObject<Fields> | undefined, fields: Fields) {
    super();
    this.#fields = fields;
    if (other === undefined) return;
    this.#expect(other);
    this.#fields = copy(other.#fields);
  }

  /** Empties `source` into a new object. */
  static move<T extends SdkObject<object>>(this: new () => T, source: T): T {
    return new this().moveFrom(source);
  }

  /** False for `nullobj`, for copies of it and for what was moved elsewhere. */
  IsValid(): boolean {
    return this.#fields !== null;
  }

  /** Becomes a deep copy of `other`. Throws TypeError on `nullobj`. */
  assign(other: this): this {
    this.#writable();
    this.#expect(other);
    if (other !== this) this.#fields = copy(other.#fields);
    return this;
  }

  /** Takes what `other` holds, which is null from then on; itself changes nothing. Throws TypeError on `nullobj`. */
  moveFrom(other: this): this {
    this.#writable();
    this.#expect(other);
    if (other === this) return this;
    this.#fields = other.#fields;
    other.#fields = null;
    return this;
  }

  /** What it holds; null for a null object. */
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

  /** Whether both hold the same in every field, or both are null. Throws TypeError for another class. */
  protected same(other: SdkObject<Fields>): boolean {
    this.#expect(other);
    return SdkObject.#same(this.#fields, other.#fields);
  }

  /** Whether two values of fields are the same, objects by what they hold. */
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

  /** One field; an object is given as a copy. Throws TypeError on a null object. */
  protected read<K extends keyof Fields>(field: K): Fields[K] {
    return copy(this.#held()[field]);
  }

  /** Sets one field; of an object a copy is kept. Throws TypeError on a null object. */
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

/** The null constant of a class: emptied and frozen. `name` is that of the class, which is shortened in the bundle. */
export function nullObject<T extends SdkObject<object>>(name: string, made: T, other: T): T {
  // Errors tell it.
  Object.defineProperty(made.constructor, 'name', { value: name });
  other.moveFrom(made);
  return Object.freeze(made);
}

/** A value of a field as JSON can hold it. */
function plain(value: unknown): unknown {
  if (value instanceof SdkObject) return value.toJSON();
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? String(value) : value;
}

/** Objects within fields are copied with them; every other value here cannot be changed. */
function copy<T>(value: T): T {
  if (value instanceof SdkObject) return new (value.constructor as new (other: T) => T)(value);
  if (Array.isArray(value)) return value.map(copy) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)])) as T;
}
