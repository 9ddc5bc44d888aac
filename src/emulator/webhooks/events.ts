import type { Change } from '../change.ts';
import type { Entitlement } from '../store/records.ts';
import { userAnswer } from '../users/answers.ts';
import type { Reading } from '../world.ts';
import type { WebhookEvent } from './webhooks.ts';

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
    case 'entitlement-removed': {
      const { entitlement } = change;
      const type = change.type === 'entitlement-created' ? 'ENTITLEMENT_CREATE' : 'ENTITLEMENT_DELETE';
      return { application: entitlement.application, type, data: entitlementData(entitlement) };
    }
    default:
      return undefined;
  }
}

function entitlementData({ id, sku, application, user, type, deleted }: Entitlement): object {
  return {
    id,
    sku_id: sku,
    application_id: application,
    user_id: user,
    type,
    deleted,
    consumed: false,
    starts_at: null,
    ends_at: null,
  };
}
