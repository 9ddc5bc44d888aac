/** Index key that finds the votes for one answer of a message's poll. */
export function voteKey(message: string, answer: number): string {
  return `${message} ${answer}`;
}
