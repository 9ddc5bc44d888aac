/** Takes a command line apart as CommandLineToArgvW documents it, the first word like the others. */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (let index = 0; index < line.length; index++) {
    const [run = ''] = /^\\*/.exec(line.slice(index)) ?? [];
    if (run !== '') {
      index += run.length;
      const quote = line[index] === '"';
      word = (word ?? '') + '\\'.repeat(quote ? Math.floor(run.length / 2) : run.length);
      if (quote && run.length % 2 === 1) word += '"';
      else index -= 1;
      continue;
    }
    const sign = line[index] ?? '';
    if (sign === '"') {
      quoted = !quoted;
      word ??= '';
    } else if (!quoted && (sign === ' ' || sign === '\t')) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + sign;
  }
  return word === undefined ? words : [...words, word];
}
