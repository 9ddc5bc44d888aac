import { type AuthorizeContext, consented } from './authorize.ts';
import { authenticateClient, checkMayAuthorize } from './client-auth.ts';
import type { DeviceBook } from './device.ts';
import { OAuth2Error } from './error.ts';
import { checkNoWebhook } from './incoming.ts';
import type { DeviceFlow } from './oauth2.ts';
import { checkScopes } from './scopes.ts';

/** The device flow of an authorization server: what a person types is asked as every other request is. */
export function deviceFlow(devices: DeviceBook, context: AuthorizeContext): DeviceFlow {
  return {
    begin(credentials, { scopes }) {
      const { known } = authenticateClient(context.application(credentials.clientId), credentials);
      checkMayAuthorize(known);
      const checked = checkScopes(scopes, known.record);
      // Nobody could say which guild.
      if (checked.includes('bot')) {
        throw new OAuth2Error('invalid_scope', 'A device cannot ask for: bot.');
      }
      checkNoWebhook(checked, 'A device');
      return devices.begin({ clientId: credentials.clientId, scopes: checked });
    },
    waiting: (userCode) => devices.waiting(userCode),
    async allow(userCode, peer, signal) {
      const ask = devices.waiting(userCode);
      if (ask === undefined) throw new OAuth2Error('invalid_request', 'No device waits with this code.');
      const { userId, isNews } = await consented(context, { ...ask, peer, signal });
      if (isNews) await context.persist();
      // It may have run out while the person thought.
      if (!devices.decide(userCode, { kind: 'granted', userId })) {
        throw new OAuth2Error('expired_token', 'The device no longer waits.');
      }
    },
    deny: (userCode) => devices.decide(userCode, { kind: 'denied' }),
  };
}
