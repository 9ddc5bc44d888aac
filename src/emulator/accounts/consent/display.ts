/**
 * Makes a text of unknown origin safe to show on one line: control and format characters (bidirectional
 * marks, zero-width, line and paragraph separators, lone surrogates) are taken out, white space is
 * collapsed, stacks of combining marks are cut, and `longest` characters remain. Markup stays the plain text it is.
 */
export function plainText(text: string, longest = 64): string {
  const plain = text
    // Far more than can be shown; keeps the work bounded whatever the length of the input.
    .slice(0, 4096)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\p{Z}+/gu, ' ')
    .trim();
  const characters = Array.from(plain);
  if (characters.length === 0) return '(no name)';
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : plain;
}
