import * as z from 'zod';
import { ApiError, notFound } from '../../api/api-error.ts';
import { queryInteger, snowflake } from '../../api/fields.ts';
import { ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import { anyChannelInView } from '../../guilds/channels/channel-access.ts';
import { checkThreadState } from '../../guilds/threads/rules.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import { messageAnswer } from '../answers.ts';
import { messageShape } from '../shapes.ts';
import { messageIn, viewerOf } from '../viewer.ts';
import { endPoll } from './polls.ts';
import { voteKey } from './records.ts';

const defineOperation = operationsFor<Base & HasFileAddresses>();

const DEFAULT_LIMIT = 25;

/** The routes of polls. */
export const pollOperations = [
  defineOperation({
    id: 'get_answer_voters',
    summary: 'The users who voted for an answer of a poll, by id.',
    route: 'GET /channels/{channel_id}/polls/{message_id}/answers/{answer_id}',
    query: z.object({ after: z.optional(snowflake()), limit: z.optional(queryInteger(1, 100)) }),
    answers: { 200: z.object({ users: z.array(userShape) }) },
    ours: 'A message without a poll, and an unknown answer, get 404.',
    handle: ({ params, query, caller }, platform) => {
      const access = anyChannelInView(platform, params.channel_id, caller);
      access.need('READ_MESSAGE_HISTORY');
      const { id, poll } = messageIn(platform, access, params.message_id);
      const answer = poll?.answers.find((one) => String(one.id) === params.answer_id);
      if (answer === undefined) throw notFound();
      const { after = '0', limit = DEFAULT_LIMIT } = query;
      const { users, poll_votes } = platform.world.tables;
      const page = [...poll_votes.by('answer', voteKey(id, answer.id))]
        .map(({ user }) => BigInt(user))
        .filter((user) => user > BigInt(after))
        .sort((a, b) => (a < b ? -1 : 1))
        .slice(0, limit);
      return ok({
        users: page.flatMap((one) => {
          const user = users.get(String(one));
          return user === undefined ? [] : [userAnswer(user)];
        }),
      });
    },
  }),
  defineOperation({
    id: 'poll_expire',
    summary: 'Ends a poll of the caller, and posts the result in the channel.',
    route: 'POST /channels/{channel_id}/polls/{message_id}/expire',
    answers: { 200: messageShape },
    ours: 'The expiry becomes the time at which it was ended.',
    handle: (request, platform) => {
      const { params, caller } = request;
      const { world, clock } = platform;
      const access = anyChannelInView(platform, params.channel_id, caller);
      const message = messageIn(platform, access, params.message_id);
      if (message.poll === undefined) throw new ApiError('CannotExpireANonPollMessage');
      if (message.author !== caller.user.id) throw new ApiError('CannotEditMessageAuthoredByAnotherUser');
      checkThreadState(access, 'change');
      if (message.poll.finalized) throw new ApiError('PollExpired');
      const ended = world.transaction((tables) => endPoll(world, tables, message, clock.now()));
      return ok(messageAnswer(viewerOf(platform, request), ended));
    },
  }),
];
