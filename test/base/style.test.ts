import { expect, it } from 'vitest';
import { columns } from '../../src/base/style.ts';
import { wantsColour } from '../../src/daemon/io.ts';

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: 'false' }, false],
  [false, { FORCE_COLOR: '' }, true],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('wantsColour with terminal %j and environment %j returns %j', (terminal, env, colour) => {
  expect(wantsColour(terminal, env)).toBe(colour);
});

it('columns aligns its cells without trailing blanks', () => {
  expect(
    columns([
      ['a', 'b'],
      ['long', ''],
      ['x', 'y', 'z'],
    ]),
  ).toBe('a     b\nlong\nx     y  z\n');
});

it('columns lets a cell above the maximum width move the rest of its own row alone', () => {
  const rows = [
    ['a', 'b'],
    ['very long', 'c'],
    ['abc', 'd'],
  ];
  expect(columns(rows, 3)).toBe('a    b\nvery long  c\nabc  d\n');
});
