import type { Reading, StateRule } from '../api/world.ts';
import type { Clock } from '../kernel/clock.ts';
import { nonceKey, type RemovedNonce } from './records.ts';

/** Time for which a nonce is remembered (ms). The documentation states "a few minutes". */
const NONCE_MS = 5 * 60_000;
/** Maximum number of stored nonces of removed messages. */
const MAX_NONCES = 10_000;

/** Key of a message's nonce. The nonces of each lobby are separate from all others. */
export function rememberedKey(author: string | null, nonce: string, lobby?: string): string {
  const key = nonceKey(author ?? '', nonce);
  return lobby === undefined ? key : `${lobby} ${key}`;
}

/** Whether the nonce of a message is still remembered at the time `now` (ms). */
export function isRemembered({ timestamp }: { readonly timestamp: string }, now: number): boolean {
  return now - Date.parse(timestamp) < NONCE_MS;
}

/** Whether a recent message with a nonce was removed. */
export function wasRemoved({ removed_nonces }: Reading, key: string, now: number): boolean {
  const row = removed_nonces.get(key);
  return row !== undefined && isRemembered(row, now);
}

/** Stores the nonces of removed messages until their lifetime ends. */
export function rememberNonces(clock: Pick<Clock, 'now'>): StateRule {
  return ({ removed_nonces }, commit, restoring) => {
    if (restoring) {
      for (const { nonce } of [...removed_nonces]) removed_nonces.remove(nonce);
      return;
    }
    const now = clock.now();
    const of = <Row extends { readonly nonce?: string | undefined; readonly timestamp: string }>(
      rows: readonly Row[],
      keyOf: (row: Row, nonce: string) => string,
    ): RemovedNonce[] =>
      rows.flatMap((row) =>
        row.nonce === undefined || !isRemembered(row, now)
          ? []
          : [{ nonce: keyOf(row, row.nonce), timestamp: row.timestamp }],
      );
    const removed = [
      ...of(commit.of('messages').removed, ({ author }, nonce) => rememberedKey(author, nonce)),
      ...of(commit.of('lobby_messages').removed, ({ author, lobby }, nonce) =>
        rememberedKey(author, nonce, lobby),
      ),
    ].slice(-MAX_NONCES);
    const fresh = removed.filter(({ nonce, timestamp }) => {
      const known = removed_nonces.get(nonce);
      return known === undefined || known.timestamp < timestamp;
    });
    if (fresh.length === 0) return;
    for (const row of [...removed_nonces]) {
      if (isRemembered(row, now)) break;
      removed_nonces.remove(row.nonce);
    }
    for (const row of fresh) removed_nonces.putLast(row);
    removed_nonces.keepLast(MAX_NONCES);
  };
}
