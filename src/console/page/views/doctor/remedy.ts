/** First words of the command line of a remedy. */
const BEGIN =
  /(?:^|: |; |, or |; then |\bor )((?:footbridge|chmod|rm|mv|unset|timedatectl|flatpak|snap) [^ ].*)$/;
/** Words behind a command line that are part of the sentence. */
const END = /, (?=\D)| \(|; | (?:says|describes|does|makes|shows|for one) /;

/** Command lines in a remedy of doctor, which is a sentence for people. */
export function commandsIn(remedy: string): readonly string[] {
  const rest = BEGIN.exec(remedy)?.[1];
  if (rest === undefined) return [];
  const end = END.exec(rest)?.index ?? rest.length;
  return [rest.slice(0, end), ...commandsIn(rest.slice(end))];
}
