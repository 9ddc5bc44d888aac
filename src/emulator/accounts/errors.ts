import { ApiError } from '../api/api-error.ts';

/** What the platform refuses about external identities, by its code: status and sentence. */
const REFUSALS = {
  // 404 without a code of its own: no account was found for the identity.
  10013: [404, 'Unknown User'],
  50025: [403, 'Invalid OAuth2 access token provided'],
  50229: [400, 'Invalid user type'],
  530000: [400, 'Application is not configured for this kind of external authentication'],
  530001: [400, 'ID token has expired'],
  530002: [400, 'ID token issuer is invalid'],
  530003: [400, 'ID token audience is invalid'],
  530004: [400, 'ID token was issued too long ago'],
  530007: [400, 'Invalid client secret'],
  530008: [400, 'OIDC configuration not found'],
  530009: [400, 'OIDC JWKS not found'],
  530014: [400, 'Merge source is not a provisional account'],
  530016: [400, 'Merge destination is a provisional account'],
  530017: [400, 'Merge source user is banned'],
  530020: [400, 'Invalid OIDC JWT token'],
  530023: [400, 'User already has an external identity of this application'],
  530027: [400, 'ID token header has no kid'],
} as const satisfies Readonly<Record<number, readonly [status: number, message: string]>>;

/** A refusal by its code; with what to do after the platform's words, where the emulator asks for what the platform does not. */
export function refusal(code: keyof typeof REFUSALS, advice?: string): ApiError {
  const [status, message] = REFUSALS[code];
  return new ApiError(status, advice === undefined ? message : `${message}: ${advice}`, { code });
}

/** 423: what is under way with the account has to come to its end first. */
export function locked(): ApiError {
  return new ApiError(423, 'Resource is locked: the account is being merged');
}
