import { describe, expect, it } from 'vitest';
import { checkPathLength } from '../../platform/endpoint/endpoints.ts';
import { isLocalError, LocalError, systemCode } from '../../src/base/local-error.ts';

describe('isLocalError', () => {
  it('recognises both error classes by their code', () => {
    expect(isLocalError(new LocalError('FOOTBRIDGE_LOCK', 'x'))).toBe(true);
    const caught = (() => {
      try {
        return checkPathLength('linux', 'x'.repeat(200));
      } catch (error) {
        return error;
      }
    })();
    expect(isLocalError(caught)).toBe(true);
    expect(caught).not.toBeInstanceOf(LocalError);
  });
  it.each([
    undefined,
    'FOOTBRIDGE_LOCK',
    new Error('x'),
    Object.assign(new Error('x'), { code: 'ENOENT' }),
    { code: 'FOOTBRIDGE_LOCK' },
  ])('is false for %j', (value) => {
    expect(isLocalError(value)).toBe(false);
  });
});

it('LocalError stores its cause', () => {
  const cause = new Error('below');
  expect(new LocalError('FOOTBRIDGE_LOCK', 'above', { cause })).toMatchObject({ cause, name: 'LocalError' });
});

it('systemCode returns the code of a system error only', () => {
  expect(systemCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(systemCode(Object.assign(new Error('x'), { code: 5 }))).toBeUndefined();
  expect(systemCode('ENOENT')).toBeUndefined();
});
