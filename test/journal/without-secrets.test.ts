import { expect, it } from 'vitest';
import { pathWithoutSecrets, withoutSecrets } from '../../src/journal/without-secrets.ts';

it.each([
  [{ access_token: 'a' }, { access_token: '[hidden]' }],
  [
    { accessToken: 'a', refresh_token: 'b', id_token: 'c' },
    { accessToken: '[hidden]', refresh_token: '[hidden]', id_token: '[hidden]' },
  ],
  [{ data: { code: 'a', state: 's' } }, { data: { code: '[hidden]', state: 's' } }],
  [{ data: { code: 4006, message: 'm' } }, { data: { code: 4006, message: 'm' } }],
  [{ secrets: { join: 'a', match: ['b'] } }, { secrets: { join: '[hidden]', match: ['[hidden]'] } }],
  [
    { args: [{ client_secret: 'a' }, { secret: 'b' }] },
    { args: [{ client_secret: '[hidden]' }, { secret: '[hidden]' }] },
  ],
  [
    { code_verifier: 'a', code_challenge: 'b' },
    { code_verifier: '[hidden]', code_challenge: 'b' },
  ],
  [
    { token: null, code: '' },
    { token: null, code: '' },
  ],
  ['text', 'text'],
  [null, null],
])('%j is written as %j', (given, written) => {
  expect(withoutSecrets(given)).toEqual(written);
});

it('takes any depth', () => {
  const deep = JSON.parse(`${'['.repeat(5000)}{"token":"a"}${']'.repeat(5000)}`) as unknown;
  expect(JSON.stringify(withoutSecrets(deep))).not.toContain('token');
});

it.each([
  ['/api/oauth2/token?code=a', '/api/oauth2/token'],
  ['/api/v10/users/@me', '/api/v10/users/@me'],
  ['/api/channels/300000000000000001/messages', '/api/channels/300000000000000001/messages'],
  [
    '/api/webhooks/300000000000000001/aVeryLongTokenOfAWebhook_0123',
    '/api/webhooks/300000000000000001/[hidden]',
  ],
  ['', ''],
])('the path %s is written as %s', (given, written) => {
  expect(pathWithoutSecrets(given)).toBe(written);
});
