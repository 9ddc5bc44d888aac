import { type AskOptions, askForCode } from './ask-for-code.ts';
import type { Client } from './client.ts';
import { type ApiOptions, post } from './http.ts';
import { type TokenSet, tokenSetOf } from './token-set.ts';

export { createPkce, type Pkce } from './ask-for-code.ts';
export { ApiError, type ApiOptions } from './http.ts';
export type { TokenSet } from './token-set.ts';

/** Which application asks, and where. */
export interface OAuth2Options extends ApiOptions {
  /** The application's id. */
  readonly clientId: string;
  /** Left out by a public client, which proves itself with PKCE alone. */
  readonly clientSecret?: string | undefined;
}

/** What is asked of the user, and of which service. */
export interface AuthorizeOptions extends OAuth2Options, AskOptions {}

/**
 * The whole way: asks the user with PKCE, exchanges the code and authenticates the connection. Rejects with RpcError
 * 5000 when the user says no, and with what {@link exchangeCode} and `authenticate` reject with.
 */
export async function authorize(client: Client, options: AuthorizeOptions): Promise<TokenSet> {
  const { code, verifier } = await askForCode(client, options);
  const tokens = await exchangeCode(options, { code, verifier });
  await client.authenticate(tokens.accessToken, { signal: options.signal });
  return tokens;
}

/** Exchanges a code for tokens, once and within 100 seconds. Rejects with ApiError (`invalid_grant`) or TypeError. */
export function exchangeCode(
  options: OAuth2Options,
  grant: {
    readonly code: string;
    readonly verifier?: string | undefined;
    /** Only when the code came by a redirect. */
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

/** Trades a refresh token for a new set; it is spent. `invalid_grant` means: the user must be asked again. */
export function refreshTokens(options: OAuth2Options, refreshToken: string): Promise<TokenSet> {
  return requestTokens(options, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** Ends the whole authorization of this user: every token of it, whichever is given. */
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
  const given = Object.entries({ client_id: clientId, client_secret: clientSecret, ...fields });
  return new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
