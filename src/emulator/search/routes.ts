import * as z from 'zod';
import { ok } from '../api/reply.ts';
import { threadAnswer, threadMemberAnswer, threadMemberShape, threadShape } from '../channels/answers.ts';
import { accessTo } from '../channels/channel-access.ts';
import { isThread } from '../channels/records.ts';
import { asking, missingAccess } from '../guilds/asking.ts';
import { messageAnswer, messageShape } from '../messages/answers.ts';
import type { Message } from '../messages/records.ts';
import { viewerOf } from '../messages/viewer.ts';
import { bot, defineOperation } from '../operation.ts';
import { filtersOf } from './filters.ts';
import { searchQuery } from './query.ts';
import { isClose, wordsOf } from './words.ts';

const NOT_INDEXED = 110_000;

/** The route that searches messages. */
export const searchOperations = [
  defineOperation({
    id: 'guild_search',
    summary: 'Messages of a guild by what they say and have; 202 until they are indexed.',
    method: 'GET',
    path: '/guilds/{guild_id}/messages/search',
    who: [bot],
    query: searchQuery,
    ours: 'An application without the privileged intent for message content is refused with 403 and code 50001. The index is built when it is first asked for.',
    answers: {
      200: z.object({
        doing_deep_historical_index: z.boolean(),
        documents_indexed: z.int(),
        total_results: z.int(),
        /** A list for each message that was found, without its neighbours. */
        messages: z.array(z.array(messageShape.extend({ hit: z.literal(true) }))),
        threads: z.array(threadShape),
        members: z.array(threadMemberShape),
      }),
      202: z.object({
        message: z.string(),
        code: z.int(),
        documents_indexed: z.int(),
        retry_after: z.int(),
      }),
    },
    handle: (asked, platform) => {
      const { params, caller, query } = asked;
      const { guild } = asking(caller, params.guild_id, platform);
      if (!caller.application.intents.includes('message_content')) throw missingAccess();
      const { world, messageIndex } = platform;
      const { tables } = world;
      const { state, documents } = messageIndex.status();
      if (state === 'indexing') {
        return {
          status: 202,
          body: {
            message: 'Index not yet available. Try again later',
            code: NOT_INDEXED,
            documents_indexed: documents,
            retry_after: 1,
          },
        };
      }
      const wanted = new Set(query.channel_id ?? []);
      const channels = [...tables.channels.by('guild', guild.id)].filter(({ id, nsfw }) => {
        if (wanted.size > 0 && !wanted.has(id)) return false;
        if (nsfw && query.include_nsfw !== true) return false;
        return accessTo(platform, id, caller.user)?.may('READ_MESSAGE_HISTORY') === true;
      });
      if (wanted.size > 0 && channels.length === 0) throw missingAccess();
      const filters = filtersOf(tables, query);
      const passes = (message: Message): boolean => filters.every((filter) => filter(message));
      const words = wordsOf(query.content ?? '');
      let found: Message[];
      let scores: ReadonlyMap<string, number> = new Map();
      if (words.length === 0) {
        found = channels.flatMap(({ id }) => [...tables.messages.by('channel', id)].filter(passes));
      } else {
        const inView = new Set(channels.map(({ id }) => id));
        const { slop = 2 } = query;
        scores = messageIndex.find(words.join(' '));
        found = [...scores.keys()]
          .map((id) => tables.messages.get(id) as Message)
          .filter((one) => inView.has(one.channel) && passes(one) && isClose(one.content, words, slop));
      }
      const { sort_by = 'timestamp', sort_order = 'desc', limit = 25, offset = 0 } = query;
      const direction = sort_order === 'asc' ? 1 : -1;
      const byTime = (a: Message, b: Message): number =>
        direction * (a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
      found.sort(
        sort_by === 'relevance' && words.length > 0
          ? (a, b) => direction * ((scores.get(a.id) ?? 0) - (scores.get(b.id) ?? 0)) || byTime(a, b)
          : byTime,
      );
      const page = found.slice(offset, offset + limit);
      const viewer = viewerOf(platform, asked);
      const threads = channels.filter(
        (one) => isThread(one) && page.some(({ channel }) => channel === one.id),
      );
      return ok({
        doing_deep_historical_index: false,
        documents_indexed: documents,
        total_results: found.length,
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
