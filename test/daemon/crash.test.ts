import { describe, expect, it } from 'vitest';
import { describeCrash } from '../../src/daemon/crash.ts';

describe('describeCrash', () => {
  it('returns name, message and location of a defect in one line', () => {
    const text = describeCrash(new TypeError('x is not\na function'));
    expect(text).toMatch(/^TypeError: x is not a function at .*crash\.test\.ts/);
    expect(text).not.toContain('\n');
  });

  it.each([
    new SyntaxError('Unexpected token in {"access_token":"canary"}'),
    new Error('canary'),
    'canary',
    { token: 'canary' },
    undefined,
  ])('does not quote content that a peer may have sent: %s', (error) => {
    expect(describeCrash(error)).not.toContain('canary');
  });

  it('includes the message of a failed system call', () => {
    const error = Object.assign(new Error('EMFILE: too many open files'), { syscall: 'open' });
    expect(describeCrash(error)).toContain('EMFILE');
  });
});
