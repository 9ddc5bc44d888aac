import { describe, expect, it } from 'vitest';
import { describeCrash } from '../../src/daemon/crash.ts';

describe('describeCrash', () => {
  it('gives name, message and place of a defect in one line', () => {
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
  ])('does not quote what a peer may have sent: %s', (error) => {
    expect(describeCrash(error)).not.toContain('canary');
  });

  it('keeps the message of a failed system call', () => {
    const error = Object.assign(new Error('EMFILE: too many open files'), { syscall: 'open' });
    expect(describeCrash(error)).toContain('EMFILE');
  });
});
