import type { Reading, StateRule } from '../api/world.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RemovedNonce } from './nonce-records.ts';
import { nonceKey } from './records.ts';

/** How long a nonce is remembered: the platform says "a few minutes". */
const NONCE_MS = 5 * 60_000;
/** Most nonces that are remembered without their messages. */
const MAX_NONCES = 10_000;

/** What the nonce of a message is remembered by: those of a lobby are of that lobby alone. */
export function rememberedKey(author: string | null, nonce: string, lobby?: string): string {
  const key = nonceKey(author ?? '', nonce);
  return lobby === undefined ? key : `${lobby} ${key}`;
}

/** Whether the nonce of a message that was sent then is still remembered. */
export function isRemembered({ timestamp }: { readonly timestamp: string }, now: number): boolean {
  return now - Date.parse(timestamp) < NONCE_MS;
}

/** Whether a message was sent with a nonce a short time ago that is no more. */
export function wasRemoved({ removed_nonces }: Reading, key: string, now: number): boolean {
  const row = removed_nonces.get(key);
  return row !== undefined && isRemembered(row, now);
}

/** Remembers the nonces of messages that go, until it is too long ago that they were sent. */
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
