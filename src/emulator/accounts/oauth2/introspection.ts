import { expandScopes } from '../../../protocol/scope.ts';
import type { Introspection } from '../../api/caller.ts';
import { publicApplication } from '../../applications/applications.ts';
import type { User } from '../../users/records.ts';
import type { OAuth2Context } from './context.ts';

/** The user without the fields that the scopes do not cover. */
function masked(user: User, scopes: readonly string[], partner: boolean): User {
  return {
    ...user,
    premium_type: partner && scopes.includes('identify.premium') ? user.premium_type : 0,
    email: scopes.includes('email') ? user.email : null,
  };
}

/** The authorization that an access token stands for; never throws, whatever text the token is. */
export function introspect(context: OAuth2Context, accessToken: string): Introspection {
  const found = context.tokens.find(accessToken);
  if (found === undefined) return { state: 'invalid', reason: 'unknown' };
  const { family, token } = found;
  const { clientId, userId, scopes } = family;
  if (context.now() >= token.expires) return { state: 'invalid', reason: 'expired' };
  const user = context.user(userId);
  if (user === undefined) return { state: 'invalid', reason: 'user-removed' };
  const known = context.application(clientId);
  // A strict fixture makes unlisted applications unknown, and with them their tokens.
  if (known === undefined) return { state: 'invalid', reason: 'unknown' };
  const effectiveScopes = expandScopes(scopes);
  return {
    state: 'active',
    family: family.id,
    hash: token.hash,
    clientId,
    userId,
    application: publicApplication(known.record),
    user: effectiveScopes.includes('identify') ? masked(user, effectiveScopes, known.record.partner) : null,
    scopes,
    effectiveScopes,
    deputy: family.deputy,
    expires: new Date(token.expires),
  };
}
