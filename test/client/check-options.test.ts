import { expect, it } from 'vitest';
import { checkOptions } from '../../src/client/check-options.ts';
import type { ClientOptions } from '../../src/client/options.ts';

const CLIENT_ID = '207646673902501888';
const check = (options: unknown) => () => checkOptions(options as ClientOptions);
const nothing = (): void => {};

it.each([
  ['clientId', [CLIENT_ID, '1', '12345678901234567890']],
  ['paths', [[], ['/a', '/b']]],
  ['anyOwner', [true, false]],
  ['wait', [true, false]],
  ['reconnect', [true, false]],
  ['keepAlive', [true, false]],
  ['signal', [new AbortController().signal, { aborted: false, addEventListener: nothing }]],
  ['connectTimeoutMs', [0, 1, 0.5, Number.POSITIVE_INFINITY]],
  ['requestTimeoutMs', [0, 1]],
  ['json', [JSON, { parse: nothing, stringify: nothing }]],
  ['token', [nothing]],
])('the option %s is optional and accepts %j', (name, values) => {
  expect(check({ clientId: CLIENT_ID })).not.toThrow();
  expect(check({ clientId: CLIENT_ID, [name]: name === 'clientId' ? CLIENT_ID : undefined })).not.toThrow();
  for (const value of values) expect(check({ clientId: CLIENT_ID, [name]: value })).not.toThrow();
});

it.each([
  ['clientId', 'a decimal id, as text', [undefined, null, '', '0', '01', 'x1', '1x', '1'.repeat(21), 1]],
  ['paths', 'a list of texts', [null, 'a', {}, [1], ['a', null]]],
  ['anyOwner', 'true or false', [null, 0, 'true']],
  ['wait', 'true or false', [null, 0]],
  ['reconnect', 'true or false', [null, 0]],
  ['keepAlive', 'true or false', [null, 0]],
  ['signal', 'an AbortSignal', [null, {}, 1, { aborted: false }, { addEventListener: nothing }]],
  ['connectTimeoutMs', 'milliseconds, as a number', [null, -1, Number.NaN, '1']],
  ['requestTimeoutMs', 'milliseconds, as a number', [null, -1, Number.NaN, '1']],
  [
    'json',
    'an object with parse and stringify, as JSON is',
    [null, {}, { parse: nothing }, { stringify: nothing }],
  ],
  ['token', 'a function that gives the token', [null, 'token', {}]],
])('the option %s must be %s', (name, wanted, values) => {
  const error = { code: 'FOOTBRIDGE_INVALID_ARGUMENT', message: `${name}: must be ${wanted}` };
  for (const value of values)
    expect(check({ clientId: CLIENT_ID, [name]: value })).toThrow(expect.objectContaining(error) as Error);
});

it.each([undefined, null, 'x', 1])('the options must be an object and not %j', (options) => {
  expect(check(options)).toThrow('options: must be an object');
});
