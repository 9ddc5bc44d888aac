import { expect, it } from 'vitest';
import { wantsColour } from '../../src/cli/io.ts';
import { columns, printable } from '../../src/cli/style.ts';

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('with terminal %j and %j, colour is %j', (terminal, env, colour) => {
  expect(wantsColour(terminal, env)).toBe(colour);
});

it('defuses texts of others', () => {
  expect(printable('a\u001b[2Jb\nc\u202ed\u2028e\u0007')).toBe('a?[2Jb?c?d?e?');
  expect(printable('Grüße, 世界')).toBe('Grüße, 世界');
});

it('lines columns up without trailing blanks', () => {
  expect(
    columns([
      ['a', 'b'],
      ['long', ''],
      ['x', 'y', 'z'],
    ]),
  ).toBe('a     b\nlong\nx     y  z\n');
});
