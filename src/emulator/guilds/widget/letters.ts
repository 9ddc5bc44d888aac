/** Width and height of a letter in dots. */
export const LETTER = { width: 5, height: 7 } as const;

/** Seven rows of five dots each: a row is one digit to the base of 32, whose highest bit is the dot on the left. */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehggghe',
  D: 'uhhhhhu',
  E: 'vgguggv',
  F: 'vgguggg',
  G: 'ehgnhhf',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hhpljhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  Q: 'ehhhlid',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllla',
  X: 'hha4ahh',
  Y: 'hhha444',
  Z: 'v1248gv',
  0: 'ehjlphe',
  1: '4c4444e',
  2: 'eh1248v',
  3: 'v2421he',
  4: '26aiv22',
  5: 'vgu11he',
  6: '68guhhe',
  7: 'v124888',
  8: 'ehhehhe',
  9: 'ehhf12c',
  ' ': '0000000',
  '.': '00000cc',
  ',': '0000c48',
  '-': '000e000',
  _: '000000v',
  "'": '4480000',
  '!': '4444404',
  '?': 'eh12404',
  '&': 'cik8lid',
  '(': '2488842',
  ')': '8422248',
  '/': '01248g0',
  ':': '0cc0cc0',
  '+': '044v440',
  '#': 'aavavaa',
};
/** For every other one. */
const BOX = 'vhhhhhv';

/** The rows of dots of each letter of a text, as numbers of five bits. Small letters are as capitals, accents are left out. */
export function dotsOf(text: string): readonly (readonly number[])[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  return Array.from(plain, (letter) => {
    const rows = Object.hasOwn(LETTERS, letter) ? (LETTERS[letter] ?? BOX) : BOX;
    return Array.from(rows, (row) => Number.parseInt(row, 32));
  });
}
