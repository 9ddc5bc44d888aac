import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { queryInteger, snowflake } from '../../api/fields.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import {
  type AnyChannel,
  anyChannelInView,
  type ChannelAccess,
} from '../../guilds/channels/channel-access.ts';
import { emojiOf } from '../../guilds/emoji/emoji-text.ts';
import { checkThreadState } from '../../guilds/threads/rules.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import { emojisFor } from '../emoji-use.ts';
import type { Message } from '../records.ts';
import { messageIn } from '../viewer.ts';

/** Services that these operations need. */
type Needs = Base & HasFileAddresses;

const defineOperation = operationsFor<Needs>();

/** Maximum number of different emoji per message. */
const MAX_EMOJIS = 20;

interface ReactionRequest {
  readonly params: { readonly channel_id: string; readonly message_id: string };
  readonly caller: BotCaller;
}

/**
 * The message, the caller's access, and the emoji in its stored form. @throws ApiError for an unknown message or emoji.
 */
function reactedTo(platform: Needs, { params, caller }: ReactionRequest, emojiName: string) {
  const access = anyChannelInView(platform, params.channel_id, caller);
  const message = messageIn(platform, access, params.message_id);
  const written = emojiOf(emojiName);
  if (written === undefined) throw new ApiError('UnknownEmoji', { status: 400 });
  const id = idOf(written);
  // The id alone identifies a custom emoji; the name may differ.
  const existing =
    id === undefined ? undefined : reactionsOf(platform, message).find((one) => idOf(one.emoji) === id);
  return { access, message, emoji: existing?.emoji ?? written };
}

/** The id of an emoji stored as `name:id`; undefined for a Unicode emoji. */
function idOf(emoji: string): string | undefined {
  return /:(\d+)$/.exec(emoji)?.[1];
}

function reactionsOf({ world }: Needs, { id }: Message, emoji?: string) {
  const all = [...world.tables.reactions.by('message', id)];
  return emoji === undefined ? all : all.filter((reaction) => reaction.emoji === emoji);
}

/**
 * Stored form of an emoji without reactions yet, with the current name of a custom emoji. @throws ApiError 10014 for an
 * emoji that the caller may not use.
 */
function firstOf(
  { world }: Needs,
  { caller }: ReactionRequest,
  access: ChannelAccess<AnyChannel>,
  emoji: string,
): string {
  const id = idOf(emoji);
  if (id === undefined) return emoji;
  const found = emojisFor(world.tables, caller, access)(id);
  if (found === undefined) throw new ApiError('UnknownEmoji', { status: 400 });
  return `${found.name}:${id}`;
}

function take(platform: Needs, message: Message, emoji: string, user: string): void {
  platform.world.transaction(({ reactions }) => reactions.remove(`${message.id} ${emoji} ${user}`));
}

/** Removes all reactions, or all reactions with one emoji, and records the removal as one clearing. */
function clear(platform: Needs, message: Message, emoji?: string): void {
  const { world, clock } = platform;
  const all = reactionsOf(platform, message, emoji);
  if (all.length === 0) return;
  world.transaction(({ cleared_reactions }) => {
    for (const one of all) take(platform, message, one.emoji, one.user);
    cleared_reactions.insert({ id: world.ids.next(clock.now()), message: message.id, emoji: emoji ?? null });
    cleared_reactions.keepLast(1);
  });
}

const REACTIONS = '/channels/{channel_id}/messages/{message_id}/reactions';

/** The routes of reactions. */
export const reactionOperations = [
  defineOperation({
    id: 'add_my_message_reaction',
    summary: 'Reacts to a message.',
    route: `PUT ${REACTIONS}/{emoji_name}/@me`,
    ours: 'An emoji that the caller may not use is unknown to it, also without USE_EXTERNAL_EMOJIS. Joining an existing reaction is possible with any emoji.',
    answers: { 204: null },
    handle: (request, platform) => {
      const { access, message, emoji: named } = reactedTo(platform, request, request.params.emoji_name);
      access.need('READ_MESSAGE_HISTORY');
      checkThreadState(access, 'react');
      const all = reactionsOf(platform, message);
      const { id } = request.caller.user;
      const isExisting = all.some((reaction) => reaction.emoji === named);
      const emoji = isExisting ? named : firstOf(platform, request, access, named);
      if (all.some((reaction) => reaction.emoji === emoji && reaction.user === id)) return noContent();
      // Adding to an existing reaction needs no permission.
      if (!isExisting) {
        access.need('ADD_REACTIONS');
        if (new Set(all.map((reaction) => reaction.emoji)).size >= MAX_EMOJIS) {
          throw new ApiError('MaximumNumberOfReactionsReached', { limit: MAX_EMOJIS });
        }
      }
      platform.world.transaction(({ reactions }) =>
        reactions.insert({ message: message.id, emoji, user: id }),
      );
      return noContent();
    },
  }),
  defineOperation({
    id: 'delete_my_message_reaction',
    summary: "Removes the caller's reaction.",
    route: `DELETE ${REACTIONS}/{emoji_name}/@me`,
    answers: { 204: null },
    handle: (request, platform) => {
      const { access, message, emoji } = reactedTo(platform, request, request.params.emoji_name);
      checkThreadState(access, 'react');
      take(platform, message, emoji, request.caller.user.id);
      return noContent();
    },
  }),
  defineOperation({
    id: 'delete_user_message_reaction',
    summary: "Removes another user's reaction.",
    route: `DELETE ${REACTIONS}/{emoji_name}/{user_id}`,
    answers: { 204: null },
    handle: (request, platform) => {
      const { access, message, emoji } = reactedTo(platform, request, request.params.emoji_name);
      if (request.params.user_id !== request.caller.user.id) access.need('MANAGE_MESSAGES');
      checkThreadState(access, 'react');
      if (!platform.world.tables.users.has(request.params.user_id)) throw new ApiError('UnknownUser');
      take(platform, message, emoji, request.params.user_id);
      return noContent();
    },
  }),
  defineOperation({
    id: 'list_message_reactions_by_emoji',
    summary: 'The users who reacted with an emoji, by id.',
    route: `GET ${REACTIONS}/{emoji_name}`,
    query: z.object({
      after: z.optional(snowflake()),
      limit: z.optional(queryInteger(1, 100)),
      type: z.optional(queryInteger(0, 1)),
    }),
    answers: { 200: z.array(userShape) },
    handle: (request, platform) => {
      const { access, message, emoji } = reactedTo(platform, request, request.params.emoji_name);
      access.need('READ_MESSAGE_HISTORY');
      const { after = '0', limit = 25, type = 0 } = request.query;
      const { users } = platform.world.tables;
      // Type 1 stands for super reactions, which the emulator does not have.
      const found = type === 1 ? [] : reactionsOf(platform, message, emoji);
      const page = found
        .map(({ user }) => BigInt(user))
        .filter((id) => id > BigInt(after))
        .sort((a, b) => (a < b ? -1 : 1))
        .slice(0, limit);
      return ok(
        page.flatMap((id) => {
          const user = users.get(String(id));
          return user === undefined ? [] : [userAnswer(user)];
        }),
      );
    },
  }),
  defineOperation({
    id: 'delete_all_message_reactions_by_emoji',
    summary: 'Removes all reactions with one emoji.',
    route: `DELETE ${REACTIONS}/{emoji_name}`,
    answers: { 204: null },
    handle: (request, platform) => {
      const { access, message, emoji } = reactedTo(platform, request, request.params.emoji_name);
      access.need('MANAGE_MESSAGES');
      checkThreadState(access, 'react');
      clear(platform, message, emoji);
      return noContent();
    },
  }),
  defineOperation({
    id: 'delete_all_message_reactions',
    summary: 'Removes all reactions.',
    route: `DELETE ${REACTIONS}`,
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const access = anyChannelInView(platform, params.channel_id, caller);
      access.need('MANAGE_MESSAGES');
      checkThreadState(access, 'react');
      const message = messageIn(platform, access, params.message_id);
      clear(platform, message);
      return noContent();
    },
  }),
];
