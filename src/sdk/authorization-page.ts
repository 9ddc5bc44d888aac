import { parseUrl } from '../base/url.ts';
import { printable } from '../client/printable.ts';
import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';

/** Parameters of the web site's authorization page. */
export interface AuthorizationRequest {
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly nonce: string | undefined;
  readonly code_challenge: string | undefined;
  readonly code_challenge_method: string | undefined;
  readonly integration_type: number | undefined;
}

/** The code that the site issued, and the redirect address that received it. */
export interface SiteAnswer {
  readonly code: string;
  readonly redirectUri: string;
}

/**
 * Address of the site's authorization page (RFC 6749, 4.1.1). Throws Failed for a web site without an http(s) address.
 */
export function authorizationPage(
  webBase: string,
  request: AuthorizationRequest,
  redirectUri: string,
): string {
  const page = parseUrl(webBase) && new URL(`${webBase.replace(/\/+$/, '')}/oauth2/authorize`);
  if (page?.protocol !== 'https:' && page?.protocol !== 'http:')
    throw new Failed(ErrorType.ValidationError, 'webBase: must be the http(s) address of the web site');
  const { integration_type: integrationType } = request;
  const query = {
    client_id: request.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: request.scopes.join(' '),
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.code_challenge,
    code_challenge_method: request.code_challenge_method,
    integration_type: integrationType === undefined ? undefined : String(integrationType),
  };
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) page.searchParams.set(name, value);
  return page.href;
}

/**
 * Returns the code in the query of a redirect whose state matches the request's state (RFC 6749, 4.1.2). Throws Failed
 * when the user refused.
 */
export function codeIn(answer: URLSearchParams): string {
  const code = answer.get('code');
  if (code) return code;
  const details = [answer.get('error'), answer.get('error_description')].filter(Boolean).join(' ');
  throw new Failed(
    ErrorType.AuthorizationFailed,
    printable(details) || 'The answer of the web site holds neither a code nor an error',
  );
}
