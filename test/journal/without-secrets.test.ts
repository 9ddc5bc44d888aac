import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressWithoutSecrets, requestWithoutSecrets } from '../../src/journal/addresses.ts';
import { headersWithoutSecrets, headerWithoutSecrets } from '../../src/journal/headers.ts';
import {
  proseWithoutSecrets,
  textWithoutSecrets,
  withoutSecrets,
} from '../../src/journal/without-secrets.ts';

it.each([
  [{ access_token: 'a' }, { access_token: '[hidden]' }],
  [
    { accessToken: 'a', refresh_token: 'b', id_token: 'c' },
    { accessToken: '[hidden]', refresh_token: '[hidden]', id_token: '[hidden]' },
  ],
  [
    { 'code[]': 'a', password_hint: 'b' },
    { 'code[]': '[hidden]', password_hint: '[hidden]' },
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
])('the value %j is written as %j', (given, written) => {
  expect(withoutSecrets(given)).toEqual(written);
});

it('a secret in a value of any depth is hidden', () => {
  const deep = JSON.parse(`${'['.repeat(5000)}{"token":"a"}${']'.repeat(5000)}`) as unknown;
  expect(JSON.stringify(withoutSecrets(deep))).not.toContain('token');
});

/** Parts of paths that operations declare. */
const WORDS: ReadonlySet<string> = new Set([
  '@me',
  'api',
  'oauth2',
  'users',
  'channels',
  'messages',
  'webhooks',
  'interactions',
  'callback',
]);

it.each([
  ['/api/oauth2/token?code=a', '/api/oauth2/token?code=[hidden]'],
  ['/api/v10/users/@me', '/api/v10/users/@me'],
  ['/api/channels/300000000000000001/messages', '/api/channels/300000000000000001/messages'],
  [
    '/api/webhooks/300000000000000001/aVeryLongTokenOfAWebhook_0123',
    '/api/webhooks/300000000000000001/[hidden]',
  ],
  ['/api/webhooks/300000000000000001/short', '/api/webhooks/300000000000000001/[hidden]'],
  [
    '/api/v10/interactions/300000000000000001/short/callback',
    '/api/v10/interactions/300000000000000001/[hidden]/callback',
  ],
  ['/api/v10/channels/300000000000000001/webhooks', '/api/v10/channels/300000000000000001/webhooks'],
  ['', ''],
])('the path %s is written as %s', (given, written) => {
  expect(requestWithoutSecrets(given, (segment) => WORDS.has(segment))).toBe(written);
});

const FILE = 'http://127.0.0.1:4000/attachments/1/2/a.png?ex=1&is=2&hm=';
const HOOK = 'http://127.0.0.1:4000/api/v10/webhooks/300000000000000001/';

it.each([
  ['the signature of a file', { url: `${FILE}canary` }, { url: `${FILE}[hidden]` }],
  [
    'the signature of a file in words',
    { content: `see ${FILE}canary&a=1 and go` },
    { content: `see ${FILE}[hidden]&a=[hidden] and go` },
  ],
  ['a short token of a webhook', { url: `${HOOK}canary` }, { url: `${HOOK}[hidden]` }],
  [
    'an option that is a password',
    { options: [{ name: 'log-in', options: [{ type: 3, value: 'canary', name: 'new_password' }] }] },
    { options: [{ name: 'log-in', options: [{ type: 3, value: '[hidden]', name: 'new_password' }] }] },
  ],
  [
    'an option that is a code in digits',
    { options: [{ name: 'pin_code', type: 4, value: 987654 }] },
    { options: [{ name: 'pin_code', type: 4, value: '[hidden]' }] },
  ],
  [
    'a field of a modal',
    { components: [{ components: [{ custom_id: 'Password1', value: 'canary' }] }] },
    { components: [{ components: [{ custom_id: 'Password1', value: '[hidden]' }] }] },
  ],
  [
    'a field of a modal by its label',
    { components: [{ label: 'Your passphrase', component: { type: 4, value: 'canary' } }] },
    { components: [{ label: 'Your passphrase', component: { type: 4, value: '[hidden]' } }] },
  ],
  [
    'a number in a field of a modal by its label',
    { components: [{ label: 'Your passphrase', component: { type: 4, value: 1234 } }] },
    { components: [{ label: 'Your passphrase', component: { type: 4, value: '[hidden]' } }] },
  ],
  [
    'numbers among the values of a field',
    { components: [{ custom_id: 'token', values: [1234, 'canary'] }] },
    { components: [{ custom_id: 'token', values: ['[hidden]', '[hidden]'] }] },
  ],
  [
    'another option',
    { options: [{ name: 'place', value: 'x' }] },
    { options: [{ name: 'place', value: 'x' }] },
  ],
])('textWithoutSecrets handles %s in a JSON text', (_, given, written) => {
  expect(JSON.parse(textWithoutSecrets(JSON.stringify(given)))).toEqual(written);
});

it.each([
  ['Authorization', 'canary x', '[hidden]'],
  ['Authorization', 'Bot canary', 'Bot [hidden]'],
  ['proxy-authorization', 'Basic canary', 'Basic [hidden]'],
  ['X-Discord-MFA-Authorization', 'canary', '[hidden]'],
  ['X-MFA', 'canary', '[hidden]'],
  ['X-Fingerprint', 'canary', '[hidden]'],
  ['DPoP', 'canary', '[hidden]'],
  ['X-Auth', 'canary', '[hidden]'],
  ['Sec-WebSocket-Protocol', 'bearer, canary', '[hidden]'],
  ['Referer', 'http://user:canary@h/', 'http://[hidden]@h/'],
  ['User-Agent', 'x token=canary', 'x token=[hidden]'],
  ['x_mfa', 'canary', '[hidden]'],
  ['X-Session-Id', 'canary', '[hidden]'],
  ['User-Agent', 'a b', 'a b'],
  ['Link', `<${FILE}canary>; rel="preload"; as=image`, `<${FILE}[hidden]>; rel="preload"; as=image`],
  [
    'link',
    `</a?hm=canary>; rel=a, <${HOOK}canary/messages>; rel=b`,
    `</a?hm=[hidden]>; rel=a, <${HOOK}[hidden]/messages>; rel=b`,
  ],
  ['Content-Location', '/a.png?ex=1&hm=canary', '/a.png?ex=1&hm=[hidden]'],
  ['Location', `${FILE}canary&x=1`, `${FILE}[hidden]&x=[hidden]`],
  ['Refresh', `0; url=${FILE}canary`, `0; url=${FILE}[hidden]`],
  ['Refresh', `5;URL='/cb?code=canary'`, `5;URL='/cb?code=[hidden]'`],
  ['X-Original-URL', '/a?sig=canary#access_token=canary', '[hidden]'],
  ['Referer', '/a?sig=canary#access_token=canary', '/a?sig=[hidden]#access_token=[hidden]'],
  ['X-Anything', 'canary', '[hidden]'],
  ['X-Audit-Log-Reason', `see ${FILE}canary`, `see ${FILE}[hidden]`],
  ['Link', '</api/v10/users/@me>; rel="next"', '</api/v10/users/@me>; rel="next"'],
  [
    'WWW-Authenticate',
    'Bearer error="invalid_token", error_description="x"',
    'Bearer error="invalid_token", error_description="x"',
  ],
  ['Access-Control-Allow-Headers', 'Authorization, X-Token', 'Authorization, X-Token'],
])('the header %s: %s is written as %s', (name, value, written) => {
  expect(headerWithoutSecrets(name, value)).toBe(written);
});

it('a header name that could be a secret is hidden', () => {
  expect(headersWithoutSecrets({ Accept: 'a', 'x-canary-0': 'b', 'X-Canary': ['c'] })).toEqual({
    accept: 'a',
    '(name of 10 characters)': '[hidden]',
    'x-canary': '[hidden]',
  });
});

it('an id_token_hint is hidden in a query', () => {
  expect(addressWithoutSecrets('/oauth2/logout?id_token_hint=canary&state=s')).toBe(
    '/oauth2/logout?id_token_hint=[hidden]&state=[hidden]',
  );
});

it.each([
  [String.raw`{"content":"https:\/\/h\/api\/webhooks\/300000000000000001\/canary"}`],
  [String.raw`{"content":"https:\/\/h/api/webhooks\/300000000000000001/canary"}`],
  [String.raw`{"url":"https:\/\/h\/api\/v10\/interactions\/300000000000000001\/canary\/callback"}`],
  [String.raw`{"content":"{\"url\":\"https:\\\/\\\/h\\\/webhooks\\\/300000000000000001\\\/canary\"}"}`],
  ['{"content":"https://h/api//webhooks//300000000000000001//canary"}'],
  ['{"content":"https://p/?u=https%3A%2F%2Fh%2Fwebhooks%2F300000000000000001%2Fcanary"}'],
  ['{"url":"http://h/a.png?ex=1&amp;hm=canary"}'],
  ['{"url":"http://p/?u=http%3A%2F%2Fh%2Fa.png%3Fex%3D1%26hm%3Dcanary"}'],
  ['{"url":"http://p/?u=http%253A%252F%252Fh%252Fa.png%253Fex%253D1%2526hm%253Dcanary"}'],
  ['{"content":"https://p/?u=https%25253A%25252F%25252Fh%25252Fwebhooks%25252F3%25252Fcanary"}'],
  ['{"content":"https%3A%2F%2Fp%2F%3Fu%3Dhttps%253A%252F%252Fh%253Ftoken%253Dcanary"}'],
  ['{"passwort":"canary"}'],
  ['{"new_passw_again":["canary"]}'],
  ['{"token_" : "canary"}'],
  ['{"content":"Authorization: Bearer canary"}'],
  [String.raw`{"options":[{"name":"x\"password","type":3,"value":"canary"}]}`],
])('an encoded or misspelled secret is hidden in the text %s', (text) => {
  expect(textWithoutSecrets(text)).not.toContain('canary');
  expect(() => JSON.parse(textWithoutSecrets(text)) as unknown).not.toThrow();
});

it.each([
  ['Authorization: TOKEN canary', 'Authorization: TOKEN [hidden]'],
  ['set {"Authorization":"Bearer canary"} there', 'set {"[hidden] [hidden]"} there'],
  ['authorization:Bearer canary!', 'authorization:[hidden] [hidden]!'],
  ['with {"a":"canary canary canary"} more', 'with {"[hidden] [hidden] [hidden]"} more'],
  [
    'the code is 4003, and 10:30 <@300000000000000001> won 3:2!',
    'the code is 4003, and 10:30 <@300000000000000001> won 3:2!',
  ],
  ['my "password" : "two words", and more', 'my "password" : "[hidden] [hidden]", and more'],
  ['token=canary&code=canary', 'token=[hidden]&code=[hidden]'],
  ['authorization: Basic canary, and more', 'authorization: Basic [hidden], and more'],
  ['https:\\/\\/h\\/webhooks\\/3\\/canary', '[hidden]'],
])('the plain text %s is written as %s', (given, written) => {
  expect(proseWithoutSecrets(given)).toBe(written);
});

it.each([
  ['http://h/cb#access_token=canary&x=1', 'http://h/cb#access_token=[hidden]&x=[hidden]'],
  ['http://h/cb?a=b#access_token=canary&x=1', 'http://h/cb?a=[hidden]#access_token=[hidden]&x=[hidden]'],
  ['http://h/cb?limit=5#top', 'http://h/cb?limit=5#top'],
  ['/x?%68m=canary', '/x?%68m=[hidden]'],
  ['/x?u=http%3A%2F%2Fh%2Fa.png%3Fhm%3Dcanary', '/x?u=[hidden]'],
  ['/api//webhooks//3//canary', '/api//webhooks//3//[hidden]'],
  ['/api/Webhooks/3/canary', '/api/Webhooks/3/[hidden]'],
  ['/api/%77ebhooks/3/canary', '/api/%77ebhooks/3/[hidden]'],
  ['/api/webhooks/%33/canary', '/api/webhooks/%33/[hidden]'],
  ['/api/webhooks;x/3;y/canary', '/api/webhooks;x/3;y/[hidden]'],
  ['http://user:canary@h/x', 'http://[hidden]@h/x'],
  ['/x?x=%257B%2522token%2522%253A%2522canary%2522%257D', '/x?x=[hidden]'],
  [
    '/x?X-Amz-Signature=canary&apikey=canary&api_key=canary',
    '/x?X-Amz-Signature=[hidden]&apikey=[hidden]&api_key=[hidden]',
  ],
  [
    '/x?jwt=canary&session=canary&pwd=canary&Sig=canary',
    '/x?jwt=[hidden]&session=[hidden]&pwd=[hidden]&Sig=[hidden]',
  ],
  ['/x?code%5B%5D=canary&code%00=canary', '/x?code%5B%5D=[hidden]&[hidden]'],
  ['/x?limit=1&size=2&q=a%2520b', '/x?limit=1&size=2&q=[hidden]'],
])('the address %s is written as %s', (given, written) => {
  expect(addressWithoutSecrets(given)).toBe(written);
});

it('words without punctuation are read as within a sentence', () => {
  const words = fc.constantFrom(
    ...['token', 'Bearer', 'bot', '(bot)', 'authorization', 'basic', 'code', 'a_bot', 'bots', 'x'.repeat(20)],
    ...['MTIzNDU2Nzg5MDEyMzQ1Njc4', '-', '!', 'is,', 'code,', '(token)', ' '],
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 6 }), (list) => {
      const text = list.join(' ');
      expect(`. ${proseWithoutSecrets(text)}`).toBe(proseWithoutSecrets(`. ${text}`));
    }),
  );
});
