import type { AuthorizeOptions } from './authorize-options.ts';
import { OAuth2Error } from './error.ts';
import type { WebhookChannel, WebhookMaker } from './webhook-maker.ts';

/** The scope whose token comes with a webhook of a channel. */
const WEBHOOK = 'webhook.incoming';

/** Whether somebody has to say in which channel a webhook is to be made. */
export function asksForWebhook(scopes: readonly string[]): boolean {
  return scopes.includes(WEBHOOK);
}

/** @throws OAuth2Error where nobody can be asked which channel: only a code brings a webhook. */
export function checkNoWebhook(scopes: readonly string[], who: string): void {
  if (asksForWebhook(scopes)) throw new OAuth2Error('invalid_scope', `${who} cannot ask for: ${WEBHOOK}.`);
}

/** The channel that a webhook is to be made in; undefined for a request that is for none. @throws OAuth2Error. */
export function checkWebhook(
  { scopes, webhookChannelId }: Pick<AuthorizeOptions, 'scopes' | 'webhookChannelId'>,
  userId: string,
  maker: WebhookMaker,
): WebhookChannel | undefined {
  if (!asksForWebhook(scopes)) return undefined;
  if (webhookChannelId === undefined) {
    throw new OAuth2Error(
      'invalid_request',
      'Missing "webhook_channel_id" in request: nobody is asked which channel.',
    );
  }
  const found = maker.channelsOf(userId).find(({ id }) => id === webhookChannelId);
  if (found !== undefined) return found;
  throw new OAuth2Error('access_denied', 'The user may not make webhooks in this channel.');
}

/** What the person reads about it. */
export function describeWebhook(channel: string): string {
  return `Create a webhook in ${channel}`;
}
