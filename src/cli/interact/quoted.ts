/** Who acts, for the commands that a person may type next. */
export interface Acting {
  /** As it was given with `--as`. */
  readonly as: string | undefined;
}

/** A word of somebody else as it can be typed into a shell. */
function quoted(word: string): string {
  if (/^[\w.:@%+=,/…-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command line with words of somebody else, which may begin with a dash. */
export function commandLine(name: string, { as }: Acting, words: readonly string[]): string {
  const dashed = words.some((word) => word.startsWith('-'));
  return [
    `footbridge emulator ${name}`,
    ...(as === undefined ? [] : [`--as ${quoted(as)}`]),
    ...(dashed ? ['--'] : []),
    ...words.map(quoted),
  ].join(' ');
}
