/**
 * Splits a command line into words, by the quotes of a shell: '…' and "…" hold blanks, and outside of '…' a backslash
 * takes the next character as it is; on Windows it is a character of paths. Nothing else is special, and no shell runs.
 * Undefined for a quote without its end.
 */
export function commandWords(text: string, os: 'win32' | 'linux' | 'darwin'): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (sign === '\\' && os !== 'win32' && quote !== "'") {
      const next = text[at + 1];
      if (next === undefined) return undefined;
      // Within double quotes a shell takes the backslash away before few characters only.
      word = (word ?? '') + (quote === '"' && !'"\\$`'.includes(next) ? sign + next : next);
      at += 1;
    } else if (quote !== '') {
      if (sign === quote) quote = '';
      else word = (word ?? '') + sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= '';
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + sign;
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
