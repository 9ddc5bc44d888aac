import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';

/** The nonce of a message that was removed recently. Restored states do not contain it. */
export const removedNonces = defineRecord({
  name: 'removed_nonces',
  noun: 'nonce of a removed message',
  key: ['nonce'],
  transient: true,
  schema: ({ table, anyText }: SchemaParts) =>
    table({
      /** Key of the nonce with its author and, for a lobby message, its lobby. */
      nonce: anyText(),
      /** Time of sending; ISO 8601. */
      timestamp: anyText(),
    }),
});

export type RemovedNonce = RowOf<typeof removedNonces>;
