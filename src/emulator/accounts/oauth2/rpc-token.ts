import type { ClientCredentials } from '../../api/caller.ts';
import type { KnownApplication } from '../../applications/applications.ts';
import { authenticateClient } from './client-auth.ts';
import type { OAuth2Context } from './context.ts';
import { OAuth2Error } from './error.ts';
import { mayBeRemembered } from './scopes.ts';

/**
 * Issues a token that authorizes an application over RPC without a prompt. The application must be configured as approved
 * and send its secret: a party with that secret can act for the user within the scopes.
 * @throws OAuth2Error `invalid_client`, `unauthorized_client`.
 */
export function issueRpcToken(
  context: OAuth2Context,
  credentials: ClientCredentials,
): { readonly rpc_token: string } {
  const { clientId } = credentials;
  const { known, confidential } = authenticateClient(context.application(clientId), credentials);
  if (!confidential || known.record.secret === null || !known.record.partner) {
    throw new OAuth2Error(
      'unauthorized_client',
      'Only for approved applications (partner = true) with a configured secret.',
    );
  }
  const nothing = { challenge: undefined, nonce: undefined, redirectUri: undefined };
  return { rpc_token: context.rpcTokens.issue({ userId: context.me(), clientId, scopes: [], ...nothing }) };
}

/**
 * Uses a token up; returns whether it replaces the user's consent. It does not for an application with the policy `ask`, nor
 * for scopes that always need a prompt.
 * @throws OAuth2Error for a scope that it does not cover.
 */
export function redeemRpcToken(
  context: OAuth2Context,
  { record: { id, consent, partner } }: KnownApplication,
  scopes: readonly string[],
  token: string | undefined,
): boolean {
  const found = token === undefined ? undefined : context.rpcTokens.find(token);
  if (token === undefined || found?.clientId !== id || found.userId !== context.me() || !partner)
    return false;
  context.rpcTokens.burn(token);
  if (scopes.includes('messages.read')) {
    throw new OAuth2Error('invalid_scope', 'An rpc_token does not cover messages.read.');
  }
  return consent !== 'ask' && mayBeRemembered(scopes);
}
