import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** Whether rate limits are only sent in headers, or enforced with 429. */
export const rateLimits = defineRecord({
  name: 'rate_limits',
  noun: 'rate limits',
  singleton: true,
  schema: ({ or, choice }: SchemaParts) => or(choice('shown', 'enforced'), 'shown'),
});

/**
 * Limits for games' actions in lobbies and direct messages: none, or those of an application without the platform's
 * approval.
 */
export const communicationLimits = defineRecord({
  name: 'communication_limits',
  noun: 'communication limits',
  singleton: true,
  schema: ({ or, choice }: SchemaParts) => or(choice('approved', 'pre-approval'), 'approved'),
});
