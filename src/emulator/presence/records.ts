import { defineRecord, type SchemaParts } from '../state/record.ts';

/** Somebody who takes part in an application's embedded activity besides the logged-in user. */
export const participants = defineRecord({
  name: 'participants',
  noun: 'participant',
  key: ['application', 'user'],
  indexes: { application: {} },
  references: { user: { to: 'users', gone: 'remove' } },
  schema: ({ table, snowflake, text }: SchemaParts) => table({ application: snowflake(), user: text(64) }),
});
