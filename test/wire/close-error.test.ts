import { describe, expect, it } from 'vitest';
import { CloseError, isCloseError, isCoded } from '../../src/wire/close-error.ts';
import { CloseCode } from '../../src/wire/codes.ts';

/** A CloseError of another copy of the library, or what is almost one. */
function foreign(properties: object): Error {
  return Object.assign(new Error('bye'), { name: 'CloseError', code: 4000 }, properties);
}

describe('CloseError', () => {
  it('carries its code and message for the peer, and its detail and cause for the log', () => {
    const cause = new Error('why');
    const error = new CloseError(CloseCode.RATE_LIMITED, 'Slow down', { detail: '61 in a minute', cause });
    expect(error).toMatchObject({ name: 'CloseError', code: 4002, message: 'Slow down' });
    expect(error).toMatchObject({ detail: '61 in a minute', cause });
  });
  it('has no detail by default', () => {
    expect(new CloseError(CloseCode.NORMAL, 'Bye').detail).toBeUndefined();
  });
});

describe('isCloseError', () => {
  it.each<[string, unknown]>([
    ['a CloseError', new CloseError(CloseCode.NORMAL, 'Bye')],
    ['a CloseError of another copy of the library', foreign({})],
    ['a CloseError with code 0', foreign({ code: 0 })],
  ])('accepts %s', (_, error) => {
    expect(isCloseError(error)).toBe(true);
  });
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a string', 'CloseError'],
    ['an object that is no Error', { name: 'CloseError', code: 4000, message: 'bye' }],
    ['an Error with a code and another name', foreign({ name: 'RpcError' })],
    ['an Error of that name without a code', Object.assign(new Error('bye'), { name: 'CloseError' })],
    ['a code that is no whole number', foreign({ code: 4000.5 })],
    ['a code that is no number', foreign({ code: '4000' })],
    ['a message that is no string', foreign({ message: 4000 })],
  ])('rejects %s', (_, error) => {
    expect(isCloseError(error)).toBe(false);
  });
});

describe('isCoded', () => {
  it('compares the name of the error with its argument', () => {
    const error = foreign({ name: 'RpcError', code: 4006 });
    expect(isCoded(error, 'RpcError')).toBe(true);
    expect(isCoded(error, 'CloseError')).toBe(false);
  });
});
