import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/**
 * How strictly activities are taken: `as-client` takes what the real client takes, `warn` takes it and tells what speaks
 * against it, `refuse` answers with an error that names the field.
 */
export const activityRules = defineRecord({
  name: 'activity_rules',
  noun: 'rule for activities',
  singleton: true,
  schema: ({ choice, or }: SchemaParts) => or(choice('as-client', 'warn', 'refuse'), 'as-client'),
});

/** How strictly activities are taken. */
export type ActivityRules = RowOf<typeof activityRules>;
