import type { Caller } from '../../api/caller.ts';
import type { Reading } from '../../api/world.ts';

/**
 * Owner of the rows that a request adds: the application of the caller, of the interaction or of the webhook, or else
 * the webhook. Undefined for a request that names none of them.
 */
export function ownerOf(
  caller: Caller,
  params: Readonly<Record<string, string>>,
  { channel_webhooks, interactions }: Pick<Reading, 'channel_webhooks' | 'interactions'>,
): string | undefined {
  if (caller !== undefined) return caller.kind === 'bot' ? caller.application.id : caller.clientId;
  const { interaction_id: interaction, webhook_id: webhook } = params;
  if (interaction !== undefined) return interactions.get(interaction)?.application;
  // The token of an interaction is used with the id of its application in the place of a webhook's.
  return webhook === undefined ? undefined : (channel_webhooks.get(webhook)?.application ?? webhook);
}
