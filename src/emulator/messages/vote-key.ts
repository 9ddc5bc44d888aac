/** What the votes for one answer of the poll of a message are found by. */
export function voteKey(message: string, answer: number): string {
  return `${message} ${answer}`;
}
