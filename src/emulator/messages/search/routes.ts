import * as z from 'zod';
import { missingAccess } from '../../api/api-error.ts';
import { ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import { threadAnswer, threadMemberAnswer } from '../../guilds/channels/answers.ts';
import { accessTo } from '../../guilds/channels/channel-access.ts';
import { isThread } from '../../guilds/channels/records.ts';
import { threadMemberShape, threadShape } from '../../guilds/channels/shapes.ts';
import { requestingMember } from '../../guilds/guild-access.ts';
import { messageAnswer } from '../answers.ts';
import { messageShape } from '../shapes.ts';
import { viewerOf } from '../viewer.ts';
import { filtersOf } from './filters.ts';
import { find } from './find.ts';
import type { HasMessageIndex } from './message-index.ts';
import { noIndex, notIndexed, notIndexedShape } from './not-indexed.ts';
import { searchQuery } from './query.ts';

const defineOperation = operationsFor<Base & HasFileAddresses & HasMessageIndex>();

/** The route that searches messages. */
export const searchOperations = [
  defineOperation({
    id: 'guild_search',
    summary: 'Messages of a guild by text and properties; 202 until they are indexed.',
    route: 'GET /guilds/{guild_id}/messages/search',
    query: searchQuery,
    ours: 'An application without the privileged intent for message content is refused with 403 and code 50001. The index of a guild is built at its first search; without enough memory for it, the answer is 503.',
    answers: {
      200: z.object({
        doing_deep_historical_index: z.boolean(),
        documents_indexed: z.int(),
        total_results: z.int(),
        /** One list per found message. The list contains only that message, not its neighbours. */
        messages: z.array(z.array(messageShape.extend({ hit: z.literal(true) }))),
        threads: z.array(threadShape),
        members: z.array(threadMemberShape),
      }),
      202: notIndexedShape,
    },
    handle: async (request, platform) => {
      const { params, caller, query } = request;
      const { guild } = requestingMember(caller, params.guild_id, platform);
      if (!caller.application.intents.includes('message_content')) throw missingAccess();
      const { world, messageIndex } = platform;
      const { tables } = world;
      const status = messageIndex.statusForSearch(guild.id);
      if (status.state === 'too_large') throw noIndex();
      if (status.state !== 'ready') return notIndexed(status.documents);
      const wanted = new Set(query.channel_id ?? []);
      const mayRead = (channel: string): boolean =>
        accessTo(platform, channel, caller.user)?.may('READ_MESSAGE_HISTORY') === true;
      const channels = [...tables.channels.by('guild', guild.id)].filter(({ id, nsfw }) => {
        if (wanted.size > 0 && !wanted.has(id)) return false;
        if (nsfw && query.include_nsfw !== true) return false;
        return mayRead(id);
      });
      if (wanted.size > 0 && channels.length === 0) throw missingAccess();
      const { index } = status;
      const sought = { channels, filters: filtersOf(tables, query), query };
      const { total, page: found } = await index.inTurn(() => find(index, sought));
      // The state may have changed since the search began.
      const page = found
        .flatMap(({ id }) => tables.messages.get(id) ?? [])
        .filter(({ channel }) => mayRead(channel));
      const viewer = viewerOf(platform, request);
      const threads = channels.filter(
        (one) => isThread(one) && page.some(({ channel }) => channel === one.id),
      );
      return ok({
        doing_deep_historical_index: false,
        documents_indexed: status.documents,
        total_results: total,
        messages: page.map((message) => {
          const { reactions: _, ...answer } = messageAnswer(viewer, message);
          return [{ ...answer, hit: true as const }];
        }),
        threads: threads.map((thread) => threadAnswer(tables, thread, caller.user.id)),
        members: threads.flatMap(({ id }) => {
          const member = tables.thread_members.get(id, caller.user.id);
          return member === undefined ? [] : [threadMemberAnswer(member)];
        }),
      });
    },
  }),
];
