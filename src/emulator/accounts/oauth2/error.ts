/** Error codes of RFC 6749 (sections 4.1.2.1 and 5.2) and RFC 8628 (section 3.5) that this server uses. */
export type OAuth2ErrorCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'expired_token'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/**
 * An OAuth 2.0 error. Code and description are sent to the app, so they contain no code, token or secret. `advice`
 * appears only on the emulator's own pages.
 */
export class OAuth2Error extends Error {
  readonly error: OAuth2ErrorCode;
  readonly description: string;
  readonly advice: string | undefined;

  constructor(error: OAuth2ErrorCode, description: string, advice?: string) {
    super(`${error}: ${description}`);
    this.name = 'OAuth2Error';
    this.error = error;
    this.description = description;
    this.advice = advice;
  }
}

/** A request that was withdrawn before a decision. */
export class WithdrawnError extends OAuth2Error {
  constructor(reason: string) {
    super('access_denied', `The request was withdrawn: ${reason}.`);
  }
}
