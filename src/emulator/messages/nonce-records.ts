import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';

/** The nonce of a message that was removed recently. Not part of a restored state. */
export const removedNonces = defineRecord({
  name: 'removed_nonces',
  noun: 'nonce of a removed message',
  key: ['nonce'],
  transient: true,
  schema: ({ table, anyText }: SchemaParts) =>
    table({
      /** The nonce with its author, and its lobby for a lobby message. */
      nonce: anyText(),
      /** Time of sending; ISO 8601. */
      timestamp: anyText(),
    }),
});

export type RemovedNonce = RowOf<typeof removedNonces>;
