import type { AuthorizationTokenType } from './enums.ts';

/** A code, and the redirect address to which it is bound. */
export interface Authorized {
  readonly code: string;
  readonly redirectUri: string;
}

/** Result of GetToken and RefreshToken. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: AuthorizationTokenType;
  /** Seconds. */
  readonly expiresIn: number;
  /** Space-separated, as granted. */
  readonly scopes: string;
  /** Present with the scope `openid`; '' otherwise. */
  readonly idToken: string;
}

/** Result of ExchangeChildToken; it has no refresh token, because a child token cannot be refreshed. */
export type ChildToken = Omit<Tokens, 'refreshToken' | 'idToken'>;
