import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { queryInteger, snowflake } from '../../api/fields.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import { anyChannelInView } from '../../guilds/channels/channel-access.ts';
import { checkThreadState } from '../../guilds/threads/rules.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import type { Message } from '../records.ts';
import { messageIn } from '../viewer.ts';
import { addReaction, emojiOn, reactionsOf, removeReaction, takeReaction } from './react.ts';

/** Services that these operations need. */
type Needs = Base & HasFileAddresses;

const defineOperation = operationsFor<Needs>();

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
  return { access, message, emoji: emojiOn(platform, message, emojiName) };
}

/** Removes all reactions, or all reactions with one emoji, and records the removal as one clearing. */
function clear(platform: Needs, message: Message, emoji?: string): void {
  const { world, clock } = platform;
  const all = reactionsOf(platform, message, emoji);
  if (all.length === 0) return;
  world.transaction(({ cleared_reactions }) => {
    for (const one of all) removeReaction(platform, one);
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
      const { access, message, emoji } = reactedTo(platform, request, request.params.emoji_name);
      addReaction(platform, request.caller, access, message, emoji);
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
      takeReaction(platform, access, message, { emoji, user: request.caller.user.id });
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
      const user = request.params.user_id;
      if (!platform.world.tables.users.has(user)) throw new ApiError('UnknownUser');
      removeReaction(platform, { message: message.id, emoji, user });
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
