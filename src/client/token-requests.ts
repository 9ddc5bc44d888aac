import { type ApiOptions, post } from './http.ts';
import { type TokenSet, tokenSetOf } from './token-set.ts';

/** The application, and the service's API. */
export interface OAuth2Options extends ApiOptions {
  /** The application's id. */
  readonly clientId: string;
  /** Secret of a confidential client. A public client omits it and proves itself with PKCE only. */
  readonly clientSecret?: string | undefined;
}

/** Exchanges a code for tokens, once and within 100 seconds. Rejects with ApiError (`invalid_grant`) or TypeError. */
export function exchangeCode(
  options: OAuth2Options,
  grant: {
    readonly code: string;
    readonly verifier?: string | undefined;
    /** Redirect URI of the code request; only for a code from a redirect. */
    readonly redirectUri?: string | undefined;
  },
): Promise<TokenSet> {
  return requestTokens(options, {
    grant_type: 'authorization_code',
    code: grant.code,
    code_verifier: grant.verifier,
    redirect_uri: grant.redirectUri,
  });
}

/**
 * Trades a refresh token, which can be used once, for a new set. After `invalid_grant` the user must be prompted again.
 */
export function refreshTokens(options: OAuth2Options, refreshToken: string): Promise<TokenSet> {
  return requestTokens(options, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** Revokes the whole authorization of this user, with all of its tokens, whichever of them is passed. */
export async function revokeToken(options: OAuth2Options, token: string): Promise<void> {
  await post(options, '/oauth2/token/revoke', form(options, { token }));
}

async function requestTokens(
  options: OAuth2Options,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<TokenSet> {
  return tokenSetOf(await post(options, '/oauth2/token', form(options, fields)));
}

function form(
  { clientId, clientSecret }: OAuth2Options,
  fields: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const entries = Object.entries({ client_id: clientId, client_secret: clientSecret, ...fields });
  return new URLSearchParams(entries.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
