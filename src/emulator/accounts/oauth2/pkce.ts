import { timingSafeEqual } from 'node:crypto';
import { digest } from '../../kernel/secrets.ts';
import { OAuth2Error } from './error.ts';

/**
 * Checks the PKCE part of an authorization request (RFC 7636 section 4.3) and returns the challenge. Only S256 is supported:
 * a challenge without a method means S256, because SDKs omit it.
 * @throws OAuth2Error `invalid_request`.
 */
export function checkChallenge(
  challenge: string | undefined,
  method: string | undefined,
): string | undefined {
  if (method !== undefined && method !== 'S256') {
    throw new OAuth2Error('invalid_request', 'Unsupported "code_challenge_method": only S256.');
  }
  if (challenge === undefined) {
    if (method === undefined) return undefined;
    throw new OAuth2Error('invalid_request', 'Missing "code_challenge" in request.');
  }
  // The challenge is a SHA-256 hash in base64url, which always has 43 characters.
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuth2Error('invalid_request', 'Invalid "code_challenge" in request.');
  }
  return challenge;
}

/**
 * Checks a code verifier against the challenge of its code (RFC 7636 section 4.6).
 * @throws OAuth2Error `invalid_request` when one is missing, the form is wrong or they differ.
 */
export function checkVerifier(challenge: string | undefined, verifier: string | undefined): void {
  if (verifier === undefined) {
    if (challenge === undefined) return;
    throw new OAuth2Error('invalid_request', 'Missing "code_verifier"');
  }
  const wellFormed = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
  if (
    challenge === undefined ||
    !wellFormed ||
    !timingSafeEqual(Buffer.from(digest(verifier)), Buffer.from(challenge))
  ) {
    throw new OAuth2Error('invalid_request', 'Invalid "code_verifier"');
  }
}
