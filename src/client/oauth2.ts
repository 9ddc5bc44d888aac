import type { Client } from './client.ts';
import { type CodeRequestOptions, requestCode } from './request-code.ts';
import { exchangeCode, type OAuth2Options } from './token-requests.ts';
import type { TokenSet } from './token-set.ts';

export { ApiError, type ApiOptions } from './http.ts';
export { createPkce, type Pkce } from './request-code.ts';
export { exchangeCode, type OAuth2Options, refreshTokens, revokeToken } from './token-requests.ts';
export type { TokenSet } from './token-set.ts';

/** Options of the prompt, and of the service's OAuth 2.0 API. */
export interface AuthorizeOptions extends OAuth2Options, CodeRequestOptions {}

/**
 * The complete flow: prompts the user with PKCE, exchanges the code and authenticates the connection. Rejects with
 * RpcError 5000 when the user refuses, and as {@link exchangeCode} and `authenticate` do.
 */
export async function authorize(client: Client, options: AuthorizeOptions): Promise<TokenSet> {
  const { code, verifier } = await requestCode(client, options);
  const tokens = await exchangeCode(options, { code, verifier });
  await client.authenticate(tokens.accessToken, { signal: options.signal });
  return tokens;
}
