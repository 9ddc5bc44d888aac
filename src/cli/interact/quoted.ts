/** Acting user, for the suggested next commands. */
export interface Acting {
  /** Value of `--as`. */
  readonly as: string | undefined;
}

/** Foreign word, quoted for a shell. */
function quoted(word: string): string {
  if (/^[\w.:@%+=,/…-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Command line with foreign words, which may begin with a dash. */
export function commandLine(name: string, { as }: Acting, args: readonly string[]): string {
  const dashed = args.some((word) => word.startsWith('-'));
  return [
    `footbridge emulator ${name}`,
    ...(as === undefined ? [] : [`--as ${quoted(as)}`]),
    ...(dashed ? ['--'] : []),
    ...args.map(quoted),
  ].join(' ');
}
