import * as z from 'zod';
import { type Dispatched, defineDispatch } from '../../api/dispatch.ts';
import type { Reading } from '../../api/world.ts';
import { audienceOf, channelFields, dispatchTo } from '../../guilds/channels/message-audience.ts';
import type { RowOf } from '../../kernel/state/record.ts';
import type { pollVotes } from './records.ts';

const INTENTS = ['GUILD_MESSAGE_POLLS', 'DIRECT_MESSAGE_POLLS'] as const;
const shape = z.object({
  user_id: z.string(),
  ...channelFields,
  message_id: z.string(),
  answer_id: z.int(),
});

function* dispatchVotes(tables: Reading, votes: readonly RowOf<typeof pollVotes>[]): Generator<Dispatched> {
  for (const { message, answer, user } of votes) {
    const audience = audienceOf(tables, tables.messages.get(message)?.channel ?? '');
    const data = () => ({ user_id: user, message_id: message, answer_id: answer });
    if (audience !== undefined) yield dispatchTo(audience, INTENTS, data);
  }
}

/** Gateway events of votes. */
export const pollDispatches = [
  defineDispatch({
    event: 'MESSAGE_POLL_VOTE_ADD',
    summary: 'A user voted in a poll.',
    intents: INTENTS,
    tables: ['poll_votes'],
    shape,
    derive: (commit, { world }) => dispatchVotes(world.tables, commit.of('poll_votes').created),
  }),
  defineDispatch({
    event: 'MESSAGE_POLL_VOTE_REMOVE',
    summary: 'A user removed a vote from a poll.',
    intents: INTENTS,
    tables: ['poll_votes'],
    shape,
    derive: (commit, { world }) => dispatchVotes(world.tables, commit.of('poll_votes').removed),
  }),
];
