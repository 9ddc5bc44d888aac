import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** Whether rate limits are only sent in headers, or enforced with 429. */
export const rateLimits = defineRecord({
  name: 'rate_limits',
  noun: 'rate limits',
  about:
    '`shown` (default): limits are in the headers and never refuse anything; `enforced`: they end in 429',
  singleton: true,
  schema: ({ or, choice }: SchemaParts) => or(choice('shown', 'enforced'), 'shown'),
});

/**
 * Limits for games' actions in lobbies and direct messages: none, or the limits of an application that the platform has
 * not approved.
 */
export const communicationLimits = defineRecord({
  name: 'communication_limits',
  noun: 'communication limits',
  about:
    '`approved` (default): none; `pre-approval`: what an application may do with lobbies and direct messages before the platform has approved it for more',
  singleton: true,
  schema: ({ or, choice }: SchemaParts) => or(choice('approved', 'pre-approval'), 'approved'),
});
