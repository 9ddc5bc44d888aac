import type { AuthorizeOptions } from './authorize-options.ts';
import { OAuth2Error } from './error.ts';
import type { WebhookChannel, WebhookMaker } from './webhook-maker.ts';

/** The scope that creates a webhook in a channel and includes it in the token response. */
const WEBHOOK = 'webhook.incoming';

/** Whether the scopes require a choice of channel for a webhook. */
export function requestsWebhook(scopes: readonly string[]): boolean {
  return scopes.includes(WEBHOOK);
}

/**
 * Rejects the scope in a flow where the user cannot choose a channel: only an authorization code can carry a webhook.
 * @throws OAuth2Error
 */
export function checkNoWebhook(scopes: readonly string[], who: string): void {
  if (requestsWebhook(scopes)) throw new OAuth2Error('invalid_scope', `${who} cannot ask for: ${WEBHOOK}.`);
}

/** The channel for the webhook of a request; undefined for a request without one. @throws OAuth2Error. */
export function checkWebhook(
  { scopes, webhookChannelId }: Pick<AuthorizeOptions, 'scopes' | 'webhookChannelId'>,
  userId: string,
  maker: WebhookMaker,
): WebhookChannel | undefined {
  if (!requestsWebhook(scopes)) return undefined;
  if (webhookChannelId === undefined) {
    throw new OAuth2Error(
      'invalid_request',
      'Missing "webhook_channel_id" in request: the user is not asked for a channel.',
    );
  }
  const found = maker.channelsOf(userId).find(({ id }) => id === webhookChannelId);
  if (found !== undefined) return found;
  throw new OAuth2Error('access_denied', 'The user may not make webhooks in this channel.');
}

/** Description of the webhook for the user. */
export function describeWebhook(channel: string): string {
  return `Create a webhook in ${channel}`;
}
