import { type AskOptions, askForCode } from './ask-for-code.ts';
import type { Client } from './client.ts';
import { exchangeCode, type OAuth2Options } from './token-requests.ts';
import type { TokenSet } from './token-set.ts';

export { createPkce, type Pkce } from './ask-for-code.ts';
export { ApiError, type ApiOptions } from './http.ts';
export { exchangeCode, type OAuth2Options, refreshTokens, revokeToken } from './token-requests.ts';
export type { TokenSet } from './token-set.ts';

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
