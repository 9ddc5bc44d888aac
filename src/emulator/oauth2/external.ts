import { OAuth2Error } from './error.ts';
import { type ExchangeContext, idTokenOf } from './exchange.ts';
import type { AccessAnswer, ProvisionalAnswer, ProvisionalAsk } from './oauth2.ts';
import { accessSeconds } from './tokens.ts';

/** What every token of a provisional account holds. */
const PROVISIONAL_SCOPES = ['sdk.social_layer'];

/** Tokens of a provisional account: nobody is asked, because only the game knows it. @throws OAuth2Error. */
export async function issueProvisional(
  context: ExchangeContext,
  { userId, clientId, issuer, renewable }: ProvisionalAsk,
): Promise<ProvisionalAnswer> {
  const { vault, persist } = context;
  const owner = { userId, clientId, scopes: PROVISIONAL_SCOPES };
  const pair = renewable ? vault.issue(owner) : { accessToken: vault.issueAccess(owner) };
  await persist();
  const id_token = await idTokenOf(context, {
    userId,
    clientId,
    issuer,
    accessToken: pair.accessToken,
  });
  // They may have been taken back while we wrote.
  if (vault.find(pair.accessToken) === undefined) {
    throw new OAuth2Error('invalid_grant', 'The account was taken away meanwhile.');
  }
  return {
    token_type: 'Bearer',
    access_token: pair.accessToken,
    expires_in: accessSeconds,
    scope: PROVISIONAL_SCOPES.join(' '),
    id_token,
    ...('refreshToken' in pair ? { refresh_token: pair.refreshToken } : {}),
  };
}

/** Exchanges a token of a publisher for one of its games; undefined when it is no living token of that publisher. */
export async function issueChild(
  { vault, now, persist, user }: ExchangeContext,
  { parentToken, parentId, childId }: { parentToken: string; parentId: string; childId: string },
): Promise<AccessAnswer | undefined> {
  const parent = vault.find(parentToken);
  const left = parent === undefined ? 0 : parent.token.expires - now();
  if (parent?.family.clientId !== parentId || left <= 0 || user(parent.family.userId) === undefined) {
    return undefined;
  }
  const access_token = vault.issueChild(parent, childId);
  await persist();
  if (vault.find(access_token) === undefined) return undefined;
  return {
    token_type: 'Bearer',
    access_token,
    expires_in: Math.floor(left / 1000),
    scope: parent.family.scopes.join(' '),
  };
}
