import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** What the deleted messages of a channel leave behind. Restored states do not contain it. */
export const deletedMessages = defineRecord({
  name: 'deleted_messages',
  noun: 'deleted messages of a channel',
  key: ['channel'],
  transient: true,
  references: { channel: { to: 'channels', or: 'private_channels', onRemoval: 'remove' } },
  schema: ({ table, anyText, count }: SchemaParts) =>
    table({
      channel: anyText(),
      /** Id of the newest deleted message. */
      newest: anyText(),
      count: count(2 ** 31 - 1),
    }),
});
