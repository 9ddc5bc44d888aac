import { PoolShare } from '../../../scheduling/pool-share.ts';
import { MAX_RECORDS } from '../limits.ts';

/** Part of the limit that each owner may hold without being counted among the large holders. */
const RESERVE = 1 / 512;

/**
 * Divides the memory for rows between their owners, such as applications and webhooks. An owner above the reserve holds
 * at most its share of what the rows without an owner leave, so one owner takes at most half of it, and the others keep
 * room for theirs. A row counts at least the limit divided by {@link MAX_RECORDS}, so that many small rows cannot fill a
 * table either.
 */
export class RowShares {
  readonly #limit: number;
  /** Bytes for which a row counts at least. */
  readonly minRowBytes: number;
  readonly #reserve: number;
  readonly #large: PoolShare;
  readonly #held = new Map<string, number>();
  #unowned = 0;
  /** Owner of the rows that the current task adds, and what it held when the task began. */
  #current: { readonly owner: string; readonly held: number } | undefined;

  /** `limit` is that of all rows together, in bytes. */
  constructor(limit: number) {
    // Without a limit the shares need none either, but must stay numbers.
    this.#limit = Math.floor(Math.min(limit, Number.MAX_SAFE_INTEGER));
    this.minRowBytes = limit === Number.POSITIVE_INFINITY ? 0 : Math.ceil(limit / MAX_RECORDS);
    this.#reserve = Math.floor(this.#limit * RESERVE);
    this.#large = new PoolShare(this.#limit);
  }

  /** Owner of the rows that the current task adds; undefined for the operator and for the emulator itself. */
  get owner(): string | undefined {
    return this.#current?.owner;
  }

  /** Bytes of the rows without an owner. */
  get unowned(): number {
    return this.#unowned;
  }

  /** Bytes of an owner's rows. */
  heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  /** Runs a synchronous task whose rows belong to `owner`. */
  run<T>(owner: string | undefined, task: () => T): T {
    const before = this.#current;
    this.#current = owner === undefined ? undefined : { owner, held: this.heldBy(owner) };
    try {
      return task();
    } finally {
      this.#current = before;
    }
  }

  /** Counts a row of `bytes` that enters (`sign` 1) or leaves (-1). */
  count(owner: string | undefined, bytes: number, sign: 1 | -1): void {
    const amount = sign * Math.max(bytes, this.minRowBytes);
    if (owner === undefined) {
      this.#unowned += amount;
      return;
    }
    const held = this.heldBy(owner) + amount;
    if (held === 0) this.#held.delete(owner);
    else this.#held.set(owner, held);
    this.#large.force(owner, Math.max(0, held - this.#reserve));
  }

  /** Whether the owner of the current task has no room for a further row. */
  get isUsedUp(): boolean {
    return this.#current !== undefined && this.#isBeyond(this.#current.owner, 1);
  }

  /** Whether the current task has added rows beyond the share of their owner. */
  get isExceeded(): boolean {
    const current = this.#current;
    return (
      current !== undefined && this.heldBy(current.owner) > current.held && this.#isBeyond(current.owner, 0)
    );
  }

  #isBeyond(owner: string, more: number): boolean {
    const excess = this.#large.heldBy(owner);
    if (excess === 0) return false;
    this.#large.resize(Math.max(0, this.#limit - this.#unowned));
    return excess + more > this.#large.shareOf(owner);
  }
}
