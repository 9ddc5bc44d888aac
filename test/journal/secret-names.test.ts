import { expect, it } from 'vitest';
import {
  addressWithoutSecrets,
  decoded,
  isAddress,
  isSameAddress,
  parametersWithoutSecrets,
  partsOf,
  requestWithoutSecrets,
} from '../../src/journal/addresses.ts';
import { headersWithoutSecrets, headerWithoutSecrets } from '../../src/journal/headers.ts';
import { isSecretName } from '../../src/journal/secret-names.ts';
import {
  proseWithoutSecrets,
  textWithoutSecrets,
  withoutSecrets,
} from '../../src/journal/without-secrets.ts';

it.each([
  ...['token', 'access_token', 'TokenS', 'id-token-hint', 'code', 'codes', 'code_verifier', 'client_secret'],
  ...['password', 'passwd', 'passphrase', 'otp', 'ticket', 'Authorization', 'assertion', 'fingerprint'],
  ...['openid_params', 'hm', 'signature', 'password_hint', 'Passwort', 'my passphrase 2', 'x.token'],
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  '',
  'tokenizer',
  'codec',
  'code_challenge',
  'hmm',
  'signatures',
  'pass',
  'state',
  'secretary',
  'nonce',
  'tokenss',
])('%j is the name of no secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

it.each([
  ['/a', true],
  ['a/b', true],
  ['?a=b', true],
  ['x#a=b', true],
  ['a=b', false],
  ['a=b?', false],
  ['what?', false],
])('isAddress(%j) is %s', (word, is) => {
  expect(isAddress(word)).toBe(is);
});

it.each([
  ['a?b#c?d', { path: 'a', query: '?b', fragment: '#c?d' }],
  ['a#b', { path: 'a', query: '', fragment: '#b' }],
  ['a\n?b\n#c\n', { path: 'a\n', query: '?b\n', fragment: '#c\n' }],
])('partsOf(%j)', (address, parts) => {
  expect(partsOf(address)).toEqual(parts);
});

it('decoded leaves wrong percent signs alone', () => {
  expect(['%41', '%4', '%ff'].map(decoded)).toEqual(['A', '%4', '%ff']);
});

it.each([
  ['/a/b?c=d#e', '/a/b?c=d#e', true],
  ['/a/[hidden]?c=[hidden]', '/a/x?c=y', true],
  ['/a%20b', '/a b', true],
  ['/a', '/b', false],
  ['/a', '/a/', false],
  ['/[hidden]', '/a/b', false],
])('isSameAddress(%j, %j) is %s', (redacted, address, is) => {
  expect(isSameAddress(redacted, address)).toBe(is);
});

const long = 'a'.repeat(25);
it.each([
  ['http://user:canary@host', 'http://[hidden]@host'],
  ['http://user@name:canary@host/@me', 'http://[hidden]@host/@me'],
  ['http://host/a@b', 'http://host/a@b'],
  ['a@b', 'a@b'],
  [`/x/${long}`, '/x/[hidden]'],
  [`/x/${'a'.repeat(24)}`, `/x/${'a'.repeat(24)}`],
  [`/x/${'1'.repeat(20)}/${'1'.repeat(25)}`, `/x/${'1'.repeat(20)}/[hidden]`],
  ['/x/a%2Fb', '/x/[hidden]'],
  ['/x/a%3db', '/x/[hidden]'],
  ['/webhooks/x/y', '/webhooks/x/y'],
  ['/webhooks/1x/y', '/webhooks/1x/y'],
  ['/x?a', '/x?a'],
  ['/x?limit=', '/x?limit='],
  ['/x?a1=2', '/x?[hidden]'],
  ['/x?limit=a/b', '/x?limit=[hidden]'],
  [`/x?limit=${'1'.repeat(101)}`, '/x?limit=[hidden]'],
  ['/x?scope=a+b', '/x?scope=[hidden]'],
  ['/x?#', '/x?#'],
])('the address %s is shown as %s', (address, shown) => {
  expect(addressWithoutSecrets(address)).toBe(shown);
});

it('an address may be shown with segments of any length', () => {
  expect(addressWithoutSecrets(`/x/${long}`, 25)).toBe(`/x/${long}`);
});

it.each([
  ['/v9/v10/v100', '/v9/v10/[hidden]'],
  ['/some_name/12/other', '/some_name/12/[hidden]'],
  ['/word/12/word', '/word/12/word'],
  [`/${'a'.repeat(24)}/${long}`, `/${'a'.repeat(24)}/[hidden]`],
  ['/a1/b.c', '/[hidden]/[hidden]'],
  [`/${'1'.repeat(20)}/${'1'.repeat(21)}`, `/${'1'.repeat(20)}/[hidden]`],
  ['/webhooks/1/word', '/webhooks/1/word'],
  ['/webhooks/1/name', '/webhooks/1/[hidden]'],
  ['//x//', '//x//'],
  ['/x?limit=1&token=2#code=3', '/x?limit=1&token=[hidden]#code=[hidden]'],
])('the request %s is shown as %s', (address, shown) => {
  expect(requestWithoutSecrets(address, (segment) => segment === 'word')).toBe(shown);
});

it('parameters are shown as the caller allows, unless their name is that of a secret', () => {
  const seen: string[][] = [];
  const show = (name: string, value: string): boolean => seen.push([name, value]) > 0 && name !== 'no';
  expect(parametersWithoutSecrets('a%62=c+d%2B&no=1&token=2&e', show)).toBe(
    'a%62=c+d%2B&no=[hidden]&token=[hidden]&e',
  );
  expect(seen).toEqual([
    ['ab', 'c d+'],
    ['no', '1'],
    ['token', '2'],
  ]);
  expect(parametersWithoutSecrets('', show)).toBe('');
});

it.each([
  ['authorization', 'Bearer', '[hidden]'],
  ['authorization', 'DPoP a b', 'DPoP [hidden]'],
  ['Proxy-Authorization', 'Other a', '[hidden]'],
  ['origin', `https://h/${long}`, 'https://h/[hidden]'],
  ['x-other', 'a', '[hidden]'],
  ['DATE', 'now', 'now'],
])('the header %s: %s is shown as %s', (name, value, shown) => {
  expect(headerWithoutSecrets(name, value)).toBe(shown);
});

it('headers without a value are left out, and others are shown by their name in lower case', () => {
  const name = `x${'-'.repeat(63)}`;
  expect(
    headersWithoutSecrets({ Age: undefined, 'Content-Length': 7, [name]: 'a', [`${name}-`]: 'a', _a: 'b' }),
  ).toEqual({
    'content-length': '7',
    [name]: '[hidden]',
    '(name of 65 characters)': '[hidden]',
    '(name of 2 characters)': '[hidden]',
  });
});

/** Token in the form of those of the platform, of a bot that was never there. */
const BOT_TOKEN = `${Buffer.from('300000000000000001').toString('base64url')}.${'a'.repeat(6)}.${'b'.repeat(38)}`;

it.each([
  ['authorization canary', 'authorization canary'],
  ['Authorization= canary', 'Authorization= [hidden]'],
  ['Authorization= Basic canary', 'Authorization= Basic [hidden]'],
  ['x-authorization: Bot Bearer canary, more', 'x-authorization: Bot Bearer [hidden], more'],
  ['authorization: Bearer. canary', 'authorization: [hidden]. canary'],
  ['token : abcdefghijkl x', 'token : [hidden] x'],
  ['token : abcdefghijk x', 'token : abcdefghijk x'],
  ['token = abcdefghijkl', 'token = [hidden]'],
  ['token is : abcdefghijkl', 'token is : abcdefghijkl'],
  ['token a: abcdefghijkl', 'token a: abcdefghijkl'],
  ['(token): "canary" next', '(token): "[hidden]" next'],
  ["token: 'a b' c", "token: '[hidden] [hidden]' c"],
  ['token: `a b c`, d', 'token: `[hidden] [hidden] [hidden]`, d'],
  ['token: <a b', 'token: <a b'],
  ['Bearer aaaaaaaaaaaaaaa', 'Bearer aaaaaaaaaaaaaaa'],
  ['Bearer aaaaaaaaaaaaaaaa', 'Bearer [hidden]'],
  ['bot aaaaaaaaaaaaaaaa==', 'bot [hidden]'],
  ['Bearer error="invalid_token"', 'Bearer error="invalid_token"'],
  ['a\\b', '[hidden]'],
  ['a%2fb', '[hidden]'],
  ['{"a":1}', '{"[hidden]}'],
  ['a=b&token=c', 'a=[hidden]&token=[hidden]'],
  ['a&b', 'a&b'],
  ['a:token:b', 'a:token:[hidden]'],
  ['token:a:b', 'token:[hidden]'],
  ['x=y:z', 'x=y:z'],
  ['10:30', '10:30'],
  [`see/${long}`, `see/${long}`],
  ['?token=abc."x" y', '?token=[hidden]" y'],
  ['  a\tb\n', '  a\tb\n'],
  [`is ${BOT_TOKEN}, really`, 'is [hidden], really'],
  [`<@1>${BOT_TOKEN}|MQ.emulator.bot`, '<@1>[hidden]|[hidden]'],
  [`see https://example.com/${BOT_TOKEN}`, 'see https://example.com/[hidden]'],
  ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[hidden]'],
  [`mfa.${'a'.repeat(80)}`, '[hidden]'],
  ['Milestone-of-the-year-2026.notes.txt', 'Milestone-of-the-year-2026.notes.txt'],
  ['eyJhbGciOiJFZERTQSJ9.txt', 'eyJhbGciOiJFZERTQSJ9.txt'],
])('the prose %j is shown as %j', (text, shown) => {
  expect(proseWithoutSecrets(text)).toBe(shown);
});

it.each([
  [{ code: 'BASE_TYPE_REQUIRED' }, { code: 'BASE_TYPE_REQUIRED' }],
  [{ code: 'BASE' }, { code: '[hidden]' }],
  [{ code: 'base_type' }, { code: '[hidden]' }],
  [{ code: `A_${'B'.repeat(21)}` }, { code: '[hidden]' }],
  [{ secret: { code: 'BASE_TYPE_REQUIRED' } }, { secret: { code: '[hidden]' } }],
  [
    { token: 1, secret: true, code: '' },
    { token: 1, secret: true, code: '' },
  ],
  [
    { name: 'token', value: 1, values: [1, 'a'], other: 'b' },
    { name: 'token', value: '[hidden]', values: ['[hidden]', '[hidden]'], other: 'b' },
  ],
  [
    { name: 'token', other: 'b' },
    { name: 'token', other: 'b' },
  ],
  [
    { custom_id: 'my-secret-field', values: ['a'] },
    { custom_id: 'my-secret-field', values: ['[hidden]'] },
  ],
  [
    { label: 'Token', component: { value: 'a' } },
    { label: 'Token', component: { value: '[hidden]' } },
  ],
  [
    { name: 'Token', component: { value: 'a' } },
    { name: 'Token', component: { value: 'a' } },
  ],
  [
    { name: 7, value: 'a' },
    { name: 7, value: 'a' },
  ],
  [
    { name: 'place', value: 7 },
    { name: 'place', value: 7 },
  ],
])('the value %j is shown as %j', (value, shown) => {
  expect(withoutSecrets(value)).toEqual(shown);
});

it('a value is examined to 64 levels', () => {
  const nested = (levels: number): unknown => (levels === 0 ? { a: 'b' } : [nested(levels - 1)]);
  expect(JSON.stringify(withoutSecrets(nested(63)))).toContain('{"a":"b"}');
  expect(JSON.stringify(withoutSecrets(nested(64)))).toContain('"…"');
});

it.each([
  ['(not JSON, 12 characters)', '(not JSON, 12 characters)'],
  ['(not JSON, 12345678901 characters)', '(not JSON, 34 characters)'],
  ['x (not JSON, 1 characters)', '(not JSON, 26 characters)'],
  ['(not JSON, 1 characters) x', '(not JSON, 26 characters)'],
  ['1', '1'],
])('the text %j is shown as %j', (text, shown) => {
  expect(textWithoutSecrets(text)).toBe(shown);
});
