import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** Whether rate limits only stand in the headers, or are kept with 429 as well. */
export const rateLimits = defineRecord({
  name: 'rate_limits',
  noun: 'rate limits',
  singleton: true,
  schema: ({ or, choice }: SchemaParts) => or(choice('shown', 'enforced'), 'shown'),
});

/**
 * Which limits hold for what games do with lobbies and direct messages: none, or those of an application that the platform
 * has not approved for more.
 */
export const communicationLimits = defineRecord({
  name: 'communication_limits',
  noun: 'communication limits',
  singleton: true,
  schema: ({ or, choice }: SchemaParts) => or(choice('approved', 'pre-approval'), 'approved'),
});
