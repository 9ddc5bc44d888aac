import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** A user's vote for an answer of a poll. */
export const pollVotes = defineRecord({
  name: 'poll_votes',
  noun: 'vote in a poll',
  about: 'votes: `answer` is its number',
  key: ['message', 'answer', 'user'],
  indexes: {
    answer: { of: ({ message, answer }: Voted) => voteKey(message, answer) },
  },
  references: {
    message: {
      to: 'messages',
      onRemoval: 'remove',
      needs: { name: 'a poll', of: ({ poll }: { readonly poll?: unknown }) => poll !== undefined },
      relationCheck: {
        errorText: 'whose poll has no such answer',
        of: (vote: Voted, { poll }: WithPoll) => poll?.answers.some(({ id }) => id === vote.answer) === true,
      },
    },
    user: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
  },
  schema: ({ table, snowflake, whole, userOrMe }: SchemaParts) =>
    table({ message: snowflake(), answer: whole(1, 10), user: userOrMe() }),
});

interface Voted {
  readonly message: string;
  readonly answer: number;
}

interface WithPoll {
  readonly poll?: { readonly answers: readonly { readonly id: number }[] } | undefined;
}

/** Index key that finds the votes for one answer of a message's poll. */
export function voteKey(message: string, answer: number): string {
  return `${message} ${answer}`;
}
