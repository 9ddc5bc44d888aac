import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** A guild whose messages are not searched yet, however long it is since somebody asked: its index is held. */
export const searchHolds = defineRecord({
  name: 'search_holds',
  noun: 'held search index',
  key: ['guild'],
  references: { guild: { to: 'guilds', gone: 'remove' } },
  schema: ({ table, snowflake, or, count }: SchemaParts) =>
    table({
      guild: snowflake(),
      /** How many messages it says are indexed. */
      documents: or(count(2 ** 31 - 1), 0),
    }),
});
