import type { ClientCredentials } from '../../api/caller.ts';
import type { KnownApplication } from '../../applications/applications.ts';
import { isSameSecret } from '../../kernel/secrets.ts';
import { OAuth2Error } from './error.ts';

/**
 * Authenticates an application (RFC 6749 section 2.3). One with a secret must send it; one without accepts any secret, or
 * none as a public client. Returns whether a secret was sent.
 * @throws OAuth2Error `invalid_client`.
 */
export function authenticateClient(
  known: KnownApplication | undefined,
  credentials: ClientCredentials,
): { readonly known: KnownApplication; readonly confidential: boolean } {
  const { clientSecret } = credentials;
  const confidential = clientSecret !== undefined && clientSecret !== '';
  if (known === undefined) throw new OAuth2Error('invalid_client', 'Unknown application.');
  const { secret: expected, public_client: isPublic } = known.record;
  // A public client authenticates by its verifier instead of a secret. If it sends a secret anyway, the secret must be
  // correct.
  if (expected !== null && !(isPublic && !confidential) && !isSameSecret(clientSecret ?? '', expected)) {
    throw new OAuth2Error('invalid_client', 'Wrong client secret.');
  }
  return { known, confidential };
}

/**
 * Checks that users may authorize an application itself: a publisher's game gets tokens only from authorizations of the
 * publisher.
 * @throws OAuth2Error `unauthorized_client`.
 */
export function checkMayAuthorize({ record }: KnownApplication): void {
  if (record.parent === null) return;
  const description = `Application ${record.id} is a game of publisher ${record.parent}: authorize the publisher.`;
  throw new OAuth2Error('unauthorized_client', description);
}

/**
 * Checks the redirect address of an exchange. A code issued over RPC was never redirected, so the address may be absent, or
 * the text `undefined` that one widespread library sends. An unlisted application has no addresses to compare with.
 * @throws OAuth2Error `invalid_request`.
 */
export function checkRedirect(
  known: KnownApplication,
  bound: string | undefined,
  sent: string | undefined,
): void {
  const absent = sent === undefined || sent === 'undefined';
  const fine =
    bound !== undefined
      ? sent === bound
      : absent || known.origin === 'first-sight' || known.record.redirect_uris.includes(sent);
  if (!fine) throw new OAuth2Error('invalid_request', 'Invalid "redirect_uri" in request.');
}
