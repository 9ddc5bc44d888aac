import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkChallenge, checkVerifier } from '../../../../src/emulator/accounts/oauth2/pkce.ts';

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
// RFC 7636 appendix B.
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('checkChallenge', () => {
  it('accepts S256 as the method, and as the default', () => {
    expect(checkChallenge(challenge, 'S256')).toBe(challenge);
    expect(checkChallenge(challenge, undefined)).toBe(challenge);
    expect(checkChallenge(undefined, undefined)).toBeUndefined();
  });

  it.each([
    [challenge, 'plain'],
    [undefined, 'plain'],
    [challenge, 's256'],
    [challenge, ''],
    [undefined, 'S256'],
    ['', undefined],
    [challenge.slice(1), undefined],
    [`${challenge}=`, undefined],
    [`${challenge.slice(1)}+`, 'S256'],
    [`${challenge}\n`, 'S256'],
  ])('refuses challenge %j with method %j', (given, method) => {
    expect(() => checkChallenge(given, method)).toThrow(/^invalid_request: /);
  });
});

describe('checkVerifier', () => {
  const of = (text: string) => createHash('sha256').update(text).digest('base64url');

  it.each([verifier, 'a'.repeat(43), '~'.repeat(128)])('accepts %s', (text) => {
    checkVerifier(of(text), text);
    checkVerifier(undefined, undefined);
  });

  it.each([
    [challenge, undefined, 'Missing "code_verifier"'],
    [undefined, verifier, 'Invalid "code_verifier"'],
    [challenge, 'b'.repeat(43), 'Invalid "code_verifier"'],
    [of('a'.repeat(42)), 'a'.repeat(42), 'Invalid "code_verifier"'],
    [of('a'.repeat(129)), 'a'.repeat(129), 'Invalid "code_verifier"'],
    [of(`${'a'.repeat(43)}!`), `${'a'.repeat(43)}!`, 'Invalid "code_verifier"'],
    [challenge, '', 'Invalid "code_verifier"'],
    // The challenge itself must not pass for its verifier.
    [challenge, challenge, 'Invalid "code_verifier"'],
  ])('refuses challenge %j with verifier %j', (expected, given, description) => {
    expect(() => checkVerifier(expected, given)).toThrow(`invalid_request: ${description}`);
  });
});
