import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';

/** The nonce of a message that was removed a short time ago. A state that is put back remembers none. */
export const removedNonces = defineRecord({
  name: 'removed_nonces',
  noun: 'nonce of a removed message',
  key: ['nonce'],
  transient: true,
  schema: ({ table, anyText }: SchemaParts) =>
    table({
      /** The nonce with its author, and with the lobby that it is of. */
      nonce: anyText(),
      /** When the message was sent; ISO 8601. */
      timestamp: anyText(),
    }),
});

export type RemovedNonce = RowOf<typeof removedNonces>;
