import { describe, expect, it } from 'vitest';
import { describeCrash, onCrash } from '../../src/daemon/crash.ts';
import { FakeProcess } from '../helpers/bridge-run.ts';

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

it.each([
  [new RangeError('deep'), 'RangeError: deep'],
  [Object.assign(new Error('canary'), { name: 'ZodError' }), 'ZodError'],
  ['x', 'a string was thrown'],
  [undefined, 'a undefined was thrown'],
])('describeCrash(%s) without a stack is %j', (error, text) => {
  if (error instanceof Error) delete error.stack;
  expect(describeCrash(error)).toBe(text);
});

it('a crash ends the process although its report fails', () => {
  const process = new FakeProcess();
  onCrash(
    () => {
      throw new Error('no output');
    },
    process.own as unknown as NodeJS.Process,
  );
  process.emit('uncaughtException', new Error('x'));
  expect(process.ends).toEqual(['exit 70']);
});
