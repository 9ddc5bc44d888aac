import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { choice, integer, list, snowflake, textUpTo } from '../../api/fields.ts';
import { ok, operationsFor } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { threadAnswer, threadMemberAnswers } from '../../guilds/channels/answers.ts';
import { accessTo, channelInView } from '../../guilds/channels/channel-access.ts';
import { lastMessageOf } from '../../guilds/channels/deleted-messages.ts';
import { type ChannelRecord, holdsThreads } from '../../guilds/channels/records.ts';
import { threadMemberShape, threadShape } from '../../guilds/channels/shapes.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import { messageAnswer } from '../answers.ts';
import { messageShape } from '../shapes.ts';
import { viewerOf } from '../viewer.ts';
import { notIndexed, notIndexedShape } from './not-indexed.ts';
import { searchQuery } from './query.ts';
import { type SearchNeeds, search } from './search.ts';
import { wordsOf } from './words.ts';

const defineOperation = operationsFor<SearchNeeds>();

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
    handle: search,
  }),
];

/** A single id, or several ids in a text with commas. */
const tags = z
  .array(z.string())
  .transform((texts): (string | number)[] =>
    texts.flatMap((text) => text.split(',')).filter((id) => id !== ''),
  )
  .pipe(list(snowflake(), 0, 20));

const query = z.object({
  name: z.optional(textUpTo(100)),
  slop: z.optional(integer(0, 100)),
  min_id: z.optional(snowflake()),
  max_id: z.optional(snowflake()),
  tag: z.optional(tags),
  tag_setting: z.optional(choice('match_all', 'match_some')),
  archived: z.optional(z.boolean()),
  sort_by: z.optional(choice('relevance', 'creation_time', 'last_message_time', 'archive_time')),
  sort_order: z.optional(choice('asc', 'desc')),
  limit: z.optional(integer(1, 25)),
  offset: z.optional(integer(0, 9975)),
});

type Query = z.output<typeof query>;

function passes(thread: ChannelRecord, criteria: Query): boolean {
  const { name = '', slop = 2, min_id, max_id, tag = [], tag_setting = 'match_some', archived } = criteria;
  if (min_id !== undefined && BigInt(thread.id) <= BigInt(min_id)) return false;
  if (max_id !== undefined && BigInt(thread.id) >= BigInt(max_id)) return false;
  if (archived !== undefined && (thread.thread?.archived ?? false) !== archived) return false;
  const own = thread.thread?.applied_tags ?? [];
  if (tag.length > 0) {
    const has = (id: string): boolean => own.includes(id);
    if (!(tag_setting === 'match_all' ? tag.every(has) : tag.some(has))) return false;
  }
  return isNamed(thread.name, [...new Set(wordsOf(name))], slop);
}

/**
 * Whether a thread's name contains all wanted words with at most `slop` other words between them; the last wanted word
 * may be a prefix.
 */
function isNamed(name: string, wanted: readonly string[], slop: number): boolean {
  const nameWords = wordsOf(name);
  const positions = wanted.map((word, at) =>
    nameWords.findIndex((one) => (at === wanted.length - 1 ? one.startsWith(word) : one === word)),
  );
  if (positions.includes(-1)) return false;
  return wanted.length < 2 || Math.max(...positions) - Math.min(...positions) + 1 - wanted.length <= slop;
}

/** Returns the sort value of a thread; threads are listed from the largest value. */
function rank(tables: Reading, sortBy: NonNullable<Query['sort_by']>): (thread: ChannelRecord) => number {
  const spoken = ({ id }: ChannelRecord): number => timeOf(lastMessageOf(tables, id) ?? id);
  switch (sortBy) {
    case 'creation_time':
      return ({ id }) => timeOf(id);
    case 'archive_time':
      return ({ id, thread }) =>
        thread?.archive_timestamp ? Date.parse(thread.archive_timestamp) : timeOf(id);
    case 'relevance':
      // All found threads have the wanted words, so fewer other words mean more relevance.
      return ({ name }) => -wordsOf(name).length;
    case 'last_message_time':
      return spoken;
  }
}

/** The route that searches the threads of a channel. */
export const threadSearchOperations = [
  defineOperation({
    id: 'thread_search',
    summary: 'Threads of a channel by their names, tags and times; 202 while the index of the guild is held.',
    route: 'GET /channels/{channel_id}/threads/search',
    query,
    ours: 'The last word of a name may be a prefix. By default the result has open and archived threads, the one with the newest message first.',
    answers: {
      200: z.object({
        threads: z.array(threadShape),
        members: z.array(threadMemberShape),
        has_more: z.boolean(),
        first_messages: z.array(messageShape),
        total_results: z.int(),
      }),
      202: notIndexedShape,
    },
    handle: (request, platform) => {
      const { params, caller } = request;
      const { channel, need } = channelInView(platform, params.channel_id, caller);
      if (!holdsThreads(channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
      need('READ_MESSAGE_HISTORY');
      const { tables } = platform.world;
      const held = tables.search_holds.get(channel.guild ?? '');
      if (held !== undefined) return notIndexed(held.documents);
      const { sort_by = 'last_message_time', sort_order = 'desc', limit = 25, offset = 0 } = request.query;
      const of = rank(tables, sort_by);
      const found = [...tables.channels.by('parent', channel.id)]
        .filter((one) => passes(one, request.query) && accessTo(platform, one.id, caller.user) !== undefined)
        .map((thread) => ({ thread, rank: of(thread) }))
        .sort((a, b) => (sort_order === 'asc' ? a.rank - b.rank : b.rank - a.rank));
      const page = found.slice(offset, offset + limit).map(({ thread }) => thread);
      const viewer = viewerOf(platform, request);
      return ok({
        threads: page.map((thread) => threadAnswer(tables, thread, caller.user.id)),
        members: threadMemberAnswers(tables, page, caller.user.id),
        has_more: found.length > offset + limit,
        // A forum post and its first message have the same id.
        first_messages: page.flatMap(({ id }) => {
          const first = tables.messages.get(id);
          return first?.channel === id ? [messageAnswer(viewer, first)] : [];
        }),
        total_results: found.length,
      });
    },
  }),
];
