import { expect, it } from 'vitest';
import {
  authenticateClient,
  checkMayAuthorize,
  checkRedirect,
} from '../../../../src/emulator/accounts/oauth2/client-auth.ts';
import { isCustomScheme, isRegistered } from '../../../../src/emulator/accounts/oauth2/redirect.ts';
import type { KnownApplication } from '../../../../src/emulator/applications/applications.ts';
import { type ApplicationRecord, newApplication } from '../../../../src/emulator/applications/records.ts';

const known = (
  more: Partial<ApplicationRecord> = {},
  origin: KnownApplication['origin'] = 'fixture',
): KnownApplication => ({ origin, record: { ...newApplication('2', 'App'), ...more } });

it.each([
  ['https://app.example/cb', false],
  ['HTTPS://app.example/cb', false],
  ['http://127.0.0.1/cb', false],
  ['HTTP://127.0.0.1/cb', false],
  ['com.example.game:/cb', true],
  ['discord-2:/authorize/callback', true],
  ['xhttp://app', true],
])('the scheme of %s is one that any app may register: %s', (address, expected) => {
  expect(isCustomScheme(address)).toBe(expected);
});

it.each([
  ['a user name', 'http://user@127.0.0.1/cb'],
  ['a password', 'http://:word@127.0.0.1/cb'],
  ['a fragment', 'http://127.0.0.1/cb#x'],
  ['TLS', 'https://127.0.0.1/cb'],
  ['another host behind it', 'http://127.0.0.1.example/cb'],
  ['another host before it', 'http://x.localhost/cb'],
])('a loopback address of an unlisted application has no part that hides its target: %s', (_, address) => {
  expect(isRegistered(known({}, 'first-sight'), 'http://127.0.0.1/cb')).toBe(true);
  expect(isRegistered(known({}, 'first-sight'), address)).toBe(false);
});

it.each([
  ['another query', 'http://127.0.0.1/cb?a=1', 'http://127.0.0.1:5/cb?a=2', false],
  ['the same query', 'http://127.0.0.1/cb?a=1', 'http://127.0.0.1:5/cb?a=1', true],
  ['a registered port beside one without', 'http://127.0.0.1:9/cb', 'http://127.0.0.1:5/cb', false],
  ['the registered address with TLS', 'https://127.0.0.1/cb', 'https://127.0.0.1/cb', true],
  ['a scheme of its own that ends like another', 'com.http:/cb', 'com.http:/cb', true],
  ['an upper-case scheme without TLS', 'HTTP://app.example/cb', 'HTTP://app.example/cb', false],
])('a registered loopback address is compared without its port: %s', (_, registered, address, expected) => {
  expect(isRegistered(known({ redirect_uris: [registered] }), address)).toBe(expected);
});

it.each<
  [
    what: string,
    application: KnownApplication,
    bound: string | undefined,
    sent: string | undefined,
    accepted: boolean,
  ]
>([
  ['the address of the request', known(), 'https://a/cb', 'https://a/cb', true],
  ['another address', known({ redirect_uris: ['https://b/cb'] }), 'https://a/cb', 'https://b/cb', false],
  ['no address where the request had one', known(), 'https://a/cb', undefined, false],
  ['the text "undefined" where the request had one', known(), 'https://a/cb', 'undefined', false],
  ['no address where the request had none', known(), undefined, undefined, true],
  ['the text "undefined" where the request had none', known(), undefined, 'undefined', true],
  ['a registered address', known({ redirect_uris: ['https://b/cb'] }), undefined, 'https://b/cb', true],
  ['an unregistered address', known({ redirect_uris: ['https://b/cb'] }), undefined, 'https://c/cb', false],
  ['any address, unlisted', known({}, 'first-sight'), undefined, 'https://c/cb', true],
])('an exchange may send %s', (_, application, bound, sent, accepted) => {
  const check = () => checkRedirect(application, bound, sent);
  if (accepted) check();
  else expect(check).toThrow('invalid_request: Invalid "redirect_uri" in request.');
});

it.each<
  [what: string, record: Partial<ApplicationRecord>, secret: string | undefined, outcome: boolean | string]
>([
  ['without a secret, sending none', { secret: null }, undefined, false],
  ['without a secret, sending an empty one', { secret: null }, '', false],
  ['without a secret, sending any', { secret: null }, 'x', true],
  ['with a secret, sending it', { secret: 's' }, 's', true],
  ['with a secret, sending another', { secret: 's' }, 'x', 'invalid_client: Wrong client secret.'],
  ['with a secret, sending none', { secret: 's' }, undefined, 'invalid_client: Wrong client secret.'],
  ['that is public, sending none', { secret: 's', public_client: true }, undefined, false],
  ['that is public, sending an empty one', { secret: 's', public_client: true }, '', false],
  ['that is public, sending it', { secret: 's', public_client: true }, 's', true],
  [
    'that is public, sending another',
    { secret: 's', public_client: true },
    'x',
    'invalid_client: Wrong client secret.',
  ],
])('an application %s authenticates or not', (_, record, clientSecret, outcome) => {
  const application = known(record);
  const authenticate = () => authenticateClient(application, { clientId: '2', clientSecret });
  if (typeof outcome === 'string') expect(authenticate).toThrow(outcome);
  else expect(authenticate()).toEqual({ known: application, confidential: outcome });
});

it('an unknown application does not authenticate, and a game is not authorized itself', () => {
  expect(() => authenticateClient(undefined, { clientId: '2', clientSecret: 's' })).toThrow(
    'invalid_client: Unknown application.',
  );
  checkMayAuthorize(known());
  expect(() => checkMayAuthorize(known({ parent: '7' }))).toThrow(
    'unauthorized_client: Application 2 is a game of publisher 7: authorize the publisher.',
  );
});
