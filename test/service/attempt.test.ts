import { expect, it } from 'vitest';
import { attempt, refusal } from '../../service/attempt.ts';

it.each([
  ['No.\r\nMore', 3, '"x y" failed with 3: No.'],
  ['\n one\ntwo', 3, '"x y" failed with 3: one.'],
  [' ', undefined, '"x y" failed with no exit code: no reason given.'],
  ['a'.repeat(301), 0, `"x y" failed with 0: ${'a'.repeat(300)}.`],
])(
  'refusal names the program, its exit code and the first line of its reason %j',
  (stderr, code, message) => {
    expect(refusal('x y', { code, stdout: '', stderr })).toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message,
    });
  },
);

it.each([
  [Object.assign(new Error('spawn'), { code: 'EACCES' }), 'x: EACCES'],
  [new Error('odd'), 'x: Error: odd'],
])('attempt gives the reason of a program that cannot be started: %o', async (error, stderr) => {
  expect(await attempt(() => Promise.reject(error), ['x', 'y'])).toEqual({
    code: undefined,
    stdout: '',
    stderr,
  });
});
