import { describe, expect, it } from 'vitest';
import { RpcError } from '../../src/protocol/errors.ts';
import { masked, reasonOf, refusedFields } from '../../src/session/log-text.ts';

describe('a text for the log', () => {
  it.each([
    ['short1', 'short1'],
    [`a ${'x1'.repeat(9)}y b`, `a ${'x1'.repeat(9)}y b`],
    [`a ${'x1'.repeat(10)} b`, 'a … b'],
    ['GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS', 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS'],
    ['applications.commands.permissions_update', 'applications.commands.permissions_update'],
    ['AbcdefghijklmnopqrstuvwxyZ', '…'],
    ['GET_ACTIVITY_INSTANCE_1', '…'],
    ['aaaa.bbbb~cccc+dddd/eeee=ffff-gggg', '…'],
  ])('of %j is %j', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });
  it('has 500 characters at most', () => {
    expect(masked('a b '.repeat(200))).toHaveLength(500);
  });
});

it('a refused request is logged with its names, without arguments and possible tokens', () => {
  const request = { cmd: 'GET_GUILD', evt: 'x1'.repeat(10), nonce: '"n"', args: { a: 'secret' } };
  const error = { code: 4000, message: `no ${'x1'.repeat(10)}` } as const;
  expect(refusedFields(request as never, error)).toEqual({
    cmd: 'GET_GUILD',
    evt: '…',
    code: 4000,
    reason: 'no …',
  });
  expect(refusedFields({ cmd: null, nonce: null, error } as never, error)).toEqual({
    code: 4000,
    reason: 'no …',
  });
});

it.each([
  [new RpcError(1000, 'message', { detail: 'detail' }), 'detail'],
  [new RpcError(1000, 'message'), 'RpcError: message'],
  [new TypeError(`a ${'x1'.repeat(10)}`), 'TypeError: a …'],
  ['thrown', 'unknown'],
  [undefined, 'unknown'],
])('the logged reason of %s is %j', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
