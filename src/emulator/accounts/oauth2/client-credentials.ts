import { reachesClient } from '../../../protocol/scope.ts';
import type { ClientCredentials } from '../../api/caller.ts';
import { authenticateClient, checkMayAuthorize } from './client-auth.ts';
import type { OAuth2Context } from './context.ts';
import { decide } from './decision.ts';
import { OAuth2Error } from './error.ts';
import { CLIENT_CREDENTIALS } from './grants.ts';
import { checkNoWebhook } from './incoming.ts';
import { checkScopes } from './scopes.ts';
import { accessSeconds } from './tokens.ts';
import type { AccessAnswer, CredentialsRequest } from './types.ts';

/**
 * Grant type `client_credentials` (RFC 6749 section 4.4): a token of the application's owner, for an application whose
 * secret is configured. The configured secret counts as the owner's consent; but the user must allow scopes that only matter
 * in the user's client, and confirms the token when it is used there. Both are recorded as grants, and the policy `deny`
 * refuses both.
 * @throws OAuth2Error.
 */
export async function clientCredentials(
  context: OAuth2Context,
  credentials: ClientCredentials,
  { scopes: requested, program, signal }: CredentialsRequest,
): Promise<AccessAnswer> {
  const { clientId } = credentials;
  const { known, confidential } = authenticateClient(context.application(clientId), credentials);
  checkMayAuthorize(known);
  if (!confidential || known.record.secret === null) {
    throw new OAuth2Error(
      'unauthorized_client',
      'Client credentials are for applications with a configured secret.',
    );
  }
  checkNoWebhook(requested, 'Client credentials');
  const scopes = checkScopes(requested, known.record);
  const userId = context.me();
  const { deputy } = await decide(context, known, {
    userId,
    scopes,
    prompt: 'consent',
    deputy: reachesClient(scopes) ? undefined : 'secret',
    peer: { transport: CLIENT_CREDENTIALS, program },
    signal,
  });
  // The application's secret may have changed while the request waited.
  authenticateClient(context.application(clientId), credentials);
  const access_token = context.tokens.issueAccess({ userId, clientId, scopes, deputy });
  await context.persist();
  // The grant may have been revoked while it was being saved.
  if (context.tokens.find(access_token) === undefined) {
    throw new OAuth2Error('access_denied', 'The grant was taken back meanwhile.');
  }
  return { token_type: 'Bearer', access_token, expires_in: accessSeconds, scope: scopes.join(' ') };
}
