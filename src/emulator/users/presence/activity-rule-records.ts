import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/**
 * Strictness towards activities. `as-client` accepts what the real client accepts, `warn` also reports a warning for
 * each invalid field, and `refuse` answers with an error that names the field.
 */
export const activityRules = defineRecord({
  name: 'activity_rules',
  noun: 'rule for activities',
  about:
    '`as-client` (default) takes the activities that the real client takes; `warn` takes them and reports doubtful fields; `refuse` answers ERROR 4000, which names each field',
  singleton: true,
  schema: ({ choice, or }: SchemaParts) => or(choice('as-client', 'warn', 'refuse'), 'as-client'),
});

/** Strictness towards activities. */
export type ActivityRules = RowOf<typeof activityRules>;
