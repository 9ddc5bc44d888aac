import { defineRecord, type SchemaParts } from '../state/record.ts';

/** Whether rate limits only stand in the headers, or are kept with 429 as well. */
export const rateLimits = defineRecord({
  name: 'rate_limits',
  noun: 'rate limits',
  singleton: true,
  schema: ({ or, choice }: SchemaParts) => or(choice('shown', 'enforced'), 'shown'),
});
