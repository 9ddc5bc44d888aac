import type { Commit } from './commit.ts';
import type { NamedTables, Reference } from './record.ts';
import { Single } from './single.ts';
import { BrokenReferenceError } from './state-error.ts';
import type { Table } from './table.ts';
import type { Kinds, ReadTables } from './tables.ts';

type AnyTable = Table<object>;
/** A commit of any kinds. */
type AnyCommit = Pick<Commit<Kinds>, 'of' | 'names'>;
type Fields = Readonly<Record<string, unknown>>;

interface Link extends Reference {
  readonly from: string;
  /** Alternative kind that may have the target's key. */
  readonly other: string | undefined;
  /** Name of the referring field; empty for a single record that is itself a reference. */
  readonly field: string;
}

/** The links of some kinds. */
interface Links {
  /** By the kind that they come from. */
  readonly from: ReadonlyMap<string, readonly Link[]>;
  /** By the kind that they lead to. */
  readonly to: ReadonlyMap<string, readonly Link[]>;
  /** Links whose target cannot be removed. */
  readonly refusing: readonly Link[];
}

/** Links of the kinds of a program, which all of its states share. */
const linksOfKinds = new WeakMap<Kinds, Links>();

/** Enforces the references of the declarations, so that no row refers to a missing row. */
export class References {
  readonly #stores: ReadonlyMap<string, AnyTable | Single<unknown>>;
  readonly #tables: ReadTables<Kinds>;
  readonly #links: Links;

  constructor(kinds: Kinds, stores: ReadonlyMap<string, AnyTable | Single<unknown>>) {
    this.#stores = stores;
    this.#tables = Object.fromEntries(stores) as unknown as ReadTables<Kinds>;
    this.#links = linksOfKinds.get(kinds) ?? linksOf(kinds);
    linksOfKinds.set(kinds, this.#links);
  }

  /** Applies the declared effect to all rows whose target was removed or no longer meets `needs`. */
  follow(commit: AnyCommit): void {
    for (const to of commit.names) {
      if (!takesAway(commit, to)) continue;
      for (const link of this.#links.to.get(to) ?? [])
        for (const key of this.#lost(link, commit)) this.#letGo(link, key);
    }
  }

  /**
   * Checks the references of changed rows. @throws BrokenReferenceError for the first row, in the order of the kinds,
   * with a reference that is not allowed.
   */
  check(commit: AnyCommit): void {
    for (const from of commit.names) {
      const links = this.#links.from.get(from) ?? [];
      const { created, updated } = commit.of(from);
      for (const row of created) for (const link of links) this.#checkRow(link, row);
      for (const { before, after } of updated) {
        for (const link of links) {
          if (valueIn(link, before) !== valueIn(link, after)) this.#checkRow(link, after);
        }
      }
    }
    for (const link of this.#links.refusing) {
      if (!takesAway(commit, link.to)) continue;
      for (const key of this.#lost(link, commit)) {
        for (const row of this.#referring(link, key)) this.#checkRow(link, row);
      }
    }
  }

  /** Keys of rows that other rows can no longer refer to. */
  *#lost(link: Link, commit: AnyCommit): Generator<string> {
    const table = this.#table(link.to);
    const { removed, updated } = commit.of(link.to);
    for (const row of removed) {
      const key = table.keyOf(row as object);
      if (!this.#hasOther(link, key)) yield key;
    }
    if (link.needs === undefined) return;
    for (const { before, after } of updated) {
      if (has(link, before) && !has(link, after)) yield table.keyOf(after as object);
    }
  }

  #table(kind: string): AnyTable {
    return this.#stores.get(kind) as AnyTable;
  }

  #hasOther({ other }: Link, key: string): boolean {
    return other !== undefined && this.#table(other).has(key);
  }

  #referring(link: Link, key: string): readonly unknown[] {
    const store = this.#stores.get(link.from);
    if (store instanceof Single) {
      const value = valueIn(link, store.value);
      return value === key || (Array.isArray(value) && value.includes(key)) ? [store.value] : [];
    }
    return [...(store as AnyTable).by(link.field as never, key)];
  }

  #letGo(link: Link, key: string): void {
    if (link.onRemoval === 'refuse') return;
    const store = this.#stores.get(link.from);
    for (const row of this.#referring(link, key)) {
      const value = valueIn(link, row);
      const left = { [link.field]: Array.isArray(value) ? value.filter((item) => item !== key) : null };
      if (store instanceof Single) store.update(left);
      else if (link.onRemoval === 'remove') store?.remove(store.keyOf(row as object));
      else store?.update(store.keyOf(row as object), left);
    }
  }

  #fits({ relationCheck: fits }: Link, row: unknown, target: object): boolean {
    return fits?.of(row as never, target as never, this.#tables as unknown as NamedTables) ?? true;
  }

  #checkRow(link: Link, row: unknown): void {
    const value = valueIn(link, row);
    if (!Array.isArray(value)) return this.#checkKey(link, row, value as string | null);
    for (const [item, key] of (value as string[]).entries()) this.#checkKey(link, row, key, item);
  }

  #checkKey(link: Link, row: unknown, key: string | null, item?: number): void {
    if (key === null) return;
    const target = this.#table(link.to).get(key);
    if (target === undefined && this.#hasOther(link, key)) return;
    const lacks = target !== undefined && !has(link, target) ? link.needs?.name : undefined;
    const misfit =
      target !== undefined && !this.#fits(link, row, target) ? link.relationCheck?.errorText : undefined;
    if (target !== undefined && lacks === undefined && misfit === undefined) return;
    const from = this.#stores.get(link.from);
    throw new BrokenReferenceError(
      {
        table: link.from,
        key: from instanceof Single ? '' : (from as AnyTable).keyOf(row as object),
        field: link.field === '' ? undefined : link.field,
        row,
      },
      { to: link.to, item, lacks, misfit },
    );
  }
}

function valueIn(link: Link, row: unknown): unknown {
  return link.field === '' ? row : (row as Fields)[link.field];
}

function has(link: Link, row: unknown): boolean {
  return link.needs?.of(row as never) ?? true;
}

/** Whether a row of the kind was removed or changed, which is what others may have referred to. */
function takesAway(commit: AnyCommit, kind: string): boolean {
  const { removed, updated } = commit.of(kind);
  return removed.length + updated.length > 0;
}

function linksOf(kinds: Kinds): Links {
  const links = Object.values(kinds).flatMap(({ name: from, references }) =>
    [...references].flatMap(([field, reference]): Link[] => {
      const { to, or, onRemoval } = reference;
      const link = { ...reference, from, field, other: or };
      return or === undefined ? [link] : [link, { from, field, to: or, onRemoval, other: to }];
    }),
  );
  return {
    from: groupBy(links, 'from'),
    to: groupBy(links, 'to'),
    refusing: links.filter(({ onRemoval }) => onRemoval === 'refuse'),
  };
}

function groupBy(links: readonly Link[], end: 'from' | 'to'): ReadonlyMap<string, readonly Link[]> {
  const groups = new Map<string, Link[]>();
  for (const link of links) {
    const group = groups.get(link[end]);
    if (group === undefined) groups.set(link[end], [link]);
    else group.push(link);
  }
  return groups;
}
