import { ApiError } from './http.ts';

/** Result of the token endpoint. */
export interface TokenSet {
  readonly accessToken: string;
  readonly tokenType: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string | undefined;
  /** As granted. */
  readonly scopes: readonly string[];
  /** With the scope `openid`. */
  readonly idToken: string | undefined;
}

/** Parses the answer of a token endpoint. Throws ApiError where it has no token. */
export function tokenSetOf(answer: Readonly<Record<string, unknown>>): TokenSet {
  const text = (name: string): string | undefined => {
    const value = answer[name];
    return typeof value === 'string' ? value : undefined;
  };
  const accessToken = text('access_token');
  if (!accessToken) throw new ApiError(200, '', 'The answer of the token endpoint holds no access_token');
  return {
    accessToken,
    tokenType: text('token_type') ?? 'Bearer',
    expiresIn: typeof answer['expires_in'] === 'number' ? answer['expires_in'] : 0,
    refreshToken: text('refresh_token'),
    scopes: text('scope')?.split(' ').filter(Boolean) ?? [],
    idToken: text('id_token'),
  };
}
