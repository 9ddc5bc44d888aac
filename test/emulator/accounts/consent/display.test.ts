import { expect, it } from 'vitest';
import { plainText } from '../../../../src/emulator/accounts/consent/display.ts';

it.each([
  ['Game', 'Game'],
  ['  My   Game ', 'My Game'],
  ['Évry 日本語 Игра', 'Évry 日本語 Игра'],
  ['Party 🎉', 'Party 🎉'],
  ['two\nlines', 'twolines'],
  ['two\r\nlines', 'twolines'],
  ['tab\there', 'tabhere'],
  ['\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['null\u0000byte\u007f\u0085', 'nullbyte'],
  ['\u202Egnp.exe', 'gnp.exe'],
  ['a\u2066b\u2069c\u200Fd\u061Ce', 'abcde'],
  ['zero\u200Bwidth\uFEFF\u2060', 'zerowidth'],
  ['line\u2028paragraph\u2029', 'lineparagraph'],
  ['lone\uD800', 'lone'],
  ['private\uE000', 'private'],
  ['soft\u00ADhyphen', 'softhyphen'],
  ['<b onclick="x()">bold</b>', '<b onclick="x()">bold</b>'],
  [`Z${'\u0335'.repeat(50)}algo`, 'Z\u0335\u0335algo'],
  ['', '(no name)'],
  ['\u200B\u202E\n', '(no name)'],
  ['non\u00A0breaking\u3000wide', 'non breaking wide'],
])('plainText renders %j as %j [T63]', (text, shown) => {
  expect(plainText(text)).toBe(shown);
});

it('plainText truncates between characters, not within one', () => {
  expect(plainText('x'.repeat(64))).toBe('x'.repeat(64));
  expect(plainText('x'.repeat(65))).toBe(`${'x'.repeat(63)}…`);
  expect(plainText('🎉'.repeat(10_240))).toBe(`${'🎉'.repeat(63)}…`);
  expect(plainText('x'.repeat(100), 80)).toHaveLength(80);
});
