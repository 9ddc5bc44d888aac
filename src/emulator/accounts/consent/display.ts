/**
 * Makes a text of unknown origin safe for one line: removes control and format characters (bidirectional marks, zero-width,
 * line and paragraph separators, lone surrogates), collapses white space, shortens stacks of combining marks, and cuts the
 * text to `maxLength` characters. Markup stays plain text.
 */
export function plainText(text: string, maxLength = 64): string {
  const plain = text
    // This cut bounds the work for long input; 4096 characters are far more than a line shows.
    .slice(0, 4096)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\p{Z}+/gu, ' ')
    .trim();
  const characters = Array.from(plain);
  if (characters.length === 0) return '(no name)';
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : plain;
}
