import { directMessageEvents } from '../accounts/direct/webhook-events.ts';
import type { OAuth2 } from '../accounts/oauth2/oauth2.ts';
import type { Signal } from '../api/signals.ts';
import type { Derivation, Reading, World } from '../api/world.ts';
import { entitlementAnswer } from '../applications/monetization/answers.ts';
import { entitlementChanges } from '../applications/monetization/entitlements.ts';
import type { WebhookEvent } from '../applications/webhooks/webhooks.ts';
import { lobbyMessageEvents } from '../lobbies/webhook-events.ts';
import { userAnswer } from '../users/answers.ts';

const ENTITLEMENT_EVENTS = {
  'entitlement-created': 'ENTITLEMENT_CREATE',
  'entitlement-updated': 'ENTITLEMENT_UPDATE',
  'entitlement-removed': 'ENTITLEMENT_DELETE',
} as const;

const entitlementEvents: Derivation<WebhookEvent> = {
  tables: ['entitlements'],
  derive: (commit) =>
    entitlementChanges(commit).map(({ type, entitlement }) => ({
      application: entitlement.application,
      type: ENTITLEMENT_EVENTS[type],
      data: entitlementAnswer(entitlement),
    })),
};

/**
 * Webhook events derived from commits, in the order of each commit. While no application has a webhook, no events are
 * derived.
 */
export function webhookDerivations(
  oauth2: Pick<OAuth2, 'holds'>,
  world: Pick<World, 'isQuiet'>,
): readonly Derivation<WebhookEvent>[] {
  const holds: OAuth2['holds'] = (...grant) => oauth2.holds(...grant);
  return [lobbyMessageEvents, directMessageEvents(holds), entitlementEvents].map(({ derive, ...rest }) => ({
    ...rest,
    derive: (commit, tables) =>
      tables.event_webhooks.size === 0 || world.isQuiet ? [] : derive(commit, tables),
  }));
}

/** The webhook event of a signal; undefined for signals that applications do not receive. */
export function eventOfSignal(signal: Signal, { users }: Pick<Reading, 'users'>): WebhookEvent | undefined {
  if (signal.type !== 'authorized' && signal.type !== 'tokens-revoked') return undefined;
  const application = signal.clientId;
  const user = users.get(signal.userId);
  // The event needs the user's data.
  if (user === undefined) return undefined;
  if (signal.type === 'tokens-revoked') {
    // With a family, only that family was revoked. The user's other families stay valid, so the application is still
    // authorized.
    if (signal.family !== undefined) return undefined;
    return { application, type: 'APPLICATION_DEAUTHORIZED', data: { user: userAnswer(user) } };
  }
  const { integrationType, scopes, guild } = signal;
  const data = {
    ...(integrationType === undefined ? {} : { integration_type: integrationType }),
    user: userAnswer(user),
    scopes,
    ...(guild === undefined ? {} : { guild }),
  };
  return { application, type: 'APPLICATION_AUTHORIZED', data };
}
