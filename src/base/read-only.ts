/** A value that is immutable at every level. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly ReadonlyDeep<Item>[]
    : { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;
