/** Error codes of RFC 6749 (sections 4.1.2.1 and 5.2) and RFC 8628 (section 3.5) that this server answers with. */
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
 * A refusal in the words of OAuth 2.0. Both parts are for the app; neither holds a code, token or secret. `advice` says on
 * a page of ours what to do.
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

/** A request that ended before anybody answered it, for a reason that is neither a person's nor a policy's. */
export class WithdrawnError extends OAuth2Error {
  constructor(reason: string) {
    super('access_denied', `The request was withdrawn: ${reason}.`);
  }
}
