import { missingAccess } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { ok, type Reply } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import { threadAnswer, threadMemberAnswers } from '../../guilds/channels/answers.ts';
import { accessTo } from '../../guilds/channels/channel-access.ts';
import { type ChannelRecord, isThread } from '../../guilds/channels/records.ts';
import { requestingMember } from '../../guilds/guild-access.ts';
import type { Guild } from '../../guilds/records.ts';
import { messageAnswer } from '../answers.ts';
import { viewerOf } from '../viewer.ts';
import { filtersOf } from './filters.ts';
import { find } from './find.ts';
import type { HasMessageIndex, IndexStatus } from './message-index.ts';
import { noIndex, notIndexed } from './not-indexed.ts';
import type { SearchQuery } from './query.ts';

/** Services for a search. */
export type SearchNeeds = Base & HasFileAddresses & HasMessageIndex;

interface SearchRequest {
  readonly params: { readonly guild_id: string };
  readonly query: SearchQuery;
  readonly caller: BotCaller;
  readonly base: string;
  readonly signal: () => AbortSignal;
}

/** The index of the guild that a request is for. @throws ApiError when the caller may not search in it. */
function indexFor(
  { params, caller }: SearchRequest,
  platform: SearchNeeds,
): { readonly guild: Guild; readonly status: IndexStatus } {
  const { guild } = requestingMember(caller, params.guild_id, platform);
  if (!caller.application.intents.includes('message_content')) throw missingAccess();
  const status = platform.messageIndex.statusForSearch(guild.id);
  if (status.state === 'too_large') throw noIndex();
  return { guild, status };
}

/** Answers a search, after those before it. */
export function search(request: SearchRequest, platform: SearchNeeds): Reply | Promise<Reply> {
  const { status } = indexFor(request, platform);
  if (status.state !== 'ready') return notIndexed(status.documents);
  const signal = request.signal();
  return status.index.inTurn(() => searched(request, platform, signal));
}

/** Carries out a search, before which others may have taken their time. `signal` aborts when the caller has left. */
async function searched(request: SearchRequest, platform: SearchNeeds, signal: AbortSignal): Promise<Reply> {
  const { caller, query } = request;
  const { tables } = platform.world;
  const { guild, status } = indexFor(request, platform);
  if (status.state !== 'ready' || signal.aborted) return notIndexed(status.documents);
  const wanted = new Set(query.channel_id ?? []);
  const isSearched = (channel: ChannelRecord): boolean => {
    const { id, nsfw } = channel;
    if (channel.guild !== guild.id || (wanted.size > 0 && !wanted.has(id))) return false;
    if (nsfw && query.include_nsfw !== true) return false;
    return accessTo(platform, id, caller.user)?.may('READ_MESSAGE_HISTORY') === true;
  };
  const channels = [...tables.channels.by('guild', guild.id)].filter(isSearched);
  if (wanted.size > 0 && channels.length === 0) throw missingAccess();
  const { total, page: found } = await find(status.index, {
    channels,
    filters: filtersOf(tables, query),
    query,
  });
  // The state may have changed since the search began.
  const { status: after } = indexFor(request, platform);
  if (after.state !== 'ready' || after.index !== status.index) return notIndexed(after.documents);
  const isThere = (id: string): boolean => {
    const channel = tables.channels.get(id);
    return channel !== undefined && isSearched(channel);
  };
  const page = found
    .flatMap(({ id }) => tables.messages.get(id) ?? [])
    .filter(({ channel }) => isThere(channel));
  const viewer = viewerOf(platform, request);
  const threads = channels
    .filter((one) => isThread(one) && page.some(({ channel }) => channel === one.id))
    .flatMap(({ id }) => tables.channels.get(id) ?? []);
  return ok({
    doing_deep_historical_index: false,
    documents_indexed: status.documents,
    total_results: total,
    messages: page.map((message) => {
      const { reactions: _, ...answer } = messageAnswer(viewer, message);
      return [{ ...answer, hit: true as const }];
    }),
    threads: threads.map((thread) => threadAnswer(tables, thread, caller.user.id)),
    members: threadMemberAnswers(tables, threads, caller.user.id),
  });
}
