import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** A guild whose search index stays in the state `indexing`. */
export const searchHolds = defineRecord({
  name: 'search_holds',
  noun: 'held search index',
  about: 'guilds whose messages cannot be searched yet: `documents` are said to be indexed',
  key: ['guild'],
  references: { guild: { to: 'guilds', onRemoval: 'remove' } },
  schema: ({ table, snowflake, or, count }: SchemaParts) =>
    table({
      guild: snowflake(),
      /** Number of indexed messages that search responses report. */
      documents: or(count(2 ** 31 - 1), 0),
    }),
});
