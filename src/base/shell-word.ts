/** Word of a command that a user copies into a shell of the POSIX family, in quotes where it needs them. */
export function shellWord(word: string): string {
  return /^[\w.:@%+=,/…-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
