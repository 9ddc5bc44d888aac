import type { Reading } from '../api/world.ts';
import { entitlementAnswer } from '../applications/monetization/answers.ts';
import type { WebhookEvent } from '../applications/webhooks/webhooks.ts';
import { userAnswer } from '../users/answers.ts';
import type { Change } from './change.ts';

const ENTITLEMENT_EVENTS = {
  'entitlement-created': 'ENTITLEMENT_CREATE',
  'entitlement-updated': 'ENTITLEMENT_UPDATE',
  'entitlement-removed': 'ENTITLEMENT_DELETE',
} as const;

const LOBBY_MESSAGE_EVENTS = {
  'lobby-message-created': 'LOBBY_MESSAGE_CREATE',
  'lobby-message-updated': 'LOBBY_MESSAGE_UPDATE',
  'lobby-message-removed': 'LOBBY_MESSAGE_DELETE',
} as const;

/** What a change means to the application it is about; undefined for what applications are not told. */
export function eventOf(change: Change, { users }: Pick<Reading, 'users'>): WebhookEvent | undefined {
  switch (change.type) {
    case 'authorized': {
      const user = users.get(change.userId);
      if (user === undefined) return undefined;
      const data = {
        ...(change.integrationType === undefined ? {} : { integration_type: change.integrationType }),
        user: userAnswer(user),
        scopes: change.scopes,
        ...(change.guild === undefined ? {} : { guild: change.guild }),
      };
      return { application: change.clientId, type: 'APPLICATION_AUTHORIZED', data };
    }
    case 'tokens-revoked': {
      const user = users.get(change.userId);
      // A family that was used twice leaves the others of the same person alive; who is gone has no one to tell of.
      if (change.family !== undefined || user === undefined) return undefined;
      const data = { user: userAnswer(user) };
      return { application: change.clientId, type: 'APPLICATION_DEAUTHORIZED', data };
    }
    case 'entitlement-created':
    case 'entitlement-updated':
    case 'entitlement-removed': {
      const { entitlement } = change;
      const data = entitlementAnswer(entitlement);
      return { application: entitlement.application, type: ENTITLEMENT_EVENTS[change.type], data };
    }
    case 'lobby-message-created':
    case 'lobby-message-updated':
    case 'lobby-message-removed': {
      const { application, data } = change;
      return { application, type: LOBBY_MESSAGE_EVENTS[change.type], data };
    }
    default:
      return undefined;
  }
}
