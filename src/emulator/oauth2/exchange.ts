import type { KnownApplication } from '../accounts/accounts.ts';
import type { User } from '../fixture/fixture.ts';
import { authenticateClient, checkRedirect } from './client-auth.ts';
import type { CodeBook } from './codes.ts';
import { OAuth2Error } from './error.ts';
import type { ClientCredentials, CodeExchange, TokenAnswer } from './oauth2.ts';
import { checkVerifier } from './pkce.ts';
import type { IdTokenSigner } from './signing.ts';
import { accessSeconds, type TokenFamily, type TokenPair, type TokenVault } from './tokens.ts';

/** What the token endpoint's two grant types work with. */
export interface ExchangeContext {
  readonly now: () => number;
  readonly user: (id: string) => User | undefined;
  readonly application: (clientId: string) => KnownApplication | undefined;
  readonly codes: CodeBook;
  readonly vault: TokenVault;
  readonly signer: IdTokenSigner;
  readonly persist: () => Promise<unknown>;
  /** A refresh token was used twice and its family is gone. */
  readonly replayed: (family: TokenFamily) => void;
}

function toAnswer(pair: TokenPair, scopes: readonly string[]): TokenAnswer {
  return {
    token_type: 'Bearer',
    access_token: pair.accessToken,
    expires_in: accessSeconds,
    refresh_token: pair.refreshToken,
    scope: scopes.join(' '),
  };
}

/** Grant type `authorization_code` (RFC 6749 section 4.1.3). @throws OAuth2Error. */
export async function exchangeCode(
  context: ExchangeContext,
  credentials: ClientCredentials,
  args: CodeExchange,
): Promise<TokenAnswer> {
  const { codes, vault } = context;
  const { clientId } = credentials;
  const { known, confidential } = authenticateClient(context.application(clientId), credentials);
  if (!confidential && args.codeVerifier === undefined) {
    throw new OAuth2Error('invalid_client', 'A public client must send a code verifier.');
  }
  const record = codes.find(args.code);
  // A code in the hands of another application is lost; after other mistakes it can still be used.
  if (record !== undefined && record.clientId !== clientId) codes.burn(args.code);
  if (record?.clientId !== clientId || context.user(record.userId) === undefined) {
    throw new OAuth2Error('invalid_grant', 'Invalid "code" in request.');
  }
  checkRedirect(known, record.redirectUri, args.redirectUri);
  checkVerifier(record.challenge, args.codeVerifier);
  const { userId, scopes, nonce } = record;
  const pair = vault.issue({ userId, clientId, scopes });
  codes.burn(args.code);
  await context.persist();
  const answer = toAnswer(pair, scopes);
  if (!scopes.includes('openid')) return answer;
  const iat = Math.floor(context.now() / 1000);
  const id_token = await context.signer.sign({
    iss: args.issuer,
    sub: userId,
    aud: clientId,
    iat,
    exp: iat + accessSeconds,
    ...(nonce === undefined ? {} : { nonce }),
  });
  return { ...answer, id_token };
}

/** Grant type `refresh_token` (RFC 6749 section 6). @throws OAuth2Error. */
export async function refresh(
  context: ExchangeContext,
  credentials: ClientCredentials,
  refreshToken: string,
): Promise<TokenAnswer> {
  const { clientId } = credentials;
  authenticateClient(context.application(clientId), credentials);
  const exists = (id: string) => context.user(id) !== undefined;
  const rotation = context.vault.rotate(refreshToken, clientId, exists);
  if (rotation.kind === 'replayed') context.replayed(rotation.family);
  if (rotation.kind !== 'invalid') await context.persist();
  // Every way a refresh token can be dead looks the same to the app.
  if (rotation.kind !== 'rotated') {
    throw new OAuth2Error('invalid_grant', 'Invalid "refresh_token" in request');
  }
  return toAnswer(rotation.pair, rotation.family.scopes);
}
