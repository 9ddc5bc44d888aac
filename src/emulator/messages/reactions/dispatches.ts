import * as z from 'zod';
import { type Dispatched, defineDispatch } from '../../api/dispatch.ts';
import type { Committed, Reading } from '../../api/world.ts';
import {
  audienceOf,
  type ChannelAudience,
  channelFields,
  dispatchTo,
} from '../../guilds/channels/message-audience.ts';
import { memberAnswer, memberShape } from '../../guilds/members/answers.ts';
import { memberOf } from '../../guilds/members/membership.ts';
import type { RowOf } from '../../kernel/state/record.ts';
import { reactionEmoji } from '../emoji-answer.ts';
import type { Message } from '../records.ts';
import { reactionEmojiShape } from '../shapes.ts';
import type { reactions } from './records.ts';

type Reaction = RowOf<typeof reactions>;

const INTENTS = ['GUILD_MESSAGE_REACTIONS', 'DIRECT_MESSAGE_REACTIONS'] as const;
const messageFields = { ...channelFields, message_id: z.string() };
const one = {
  ...messageFields,
  user_id: z.string(),
  emoji: reactionEmojiShape,
  burst: z.boolean(),
  type: z.int(),
};

/** An event about a reaction to a message; yields nothing for a removed message. */
function* dispatchReaction(
  tables: Reading,
  messageId: string,
  data: (audience: ChannelAudience, message: Message) => object,
): Generator<Dispatched> {
  const message = tables.messages.get(messageId);
  const audience = message === undefined ? undefined : audienceOf(tables, message.channel);
  if (message === undefined || audience === undefined) return;
  yield dispatchTo(audience, INTENTS, () => ({ message_id: messageId, ...data(audience, message) }));
}

function reactionFields({ user, emoji }: Reaction): object {
  return { user_id: user, emoji: reactionEmoji(emoji), burst: false, type: 0 };
}

/** Reactions that were removed individually and not by a clearing. */
function takenBack(commit: Committed): Reaction[] {
  const cleared = commit.of('cleared_reactions').created;
  return commit
    .of('reactions')
    .removed.filter(
      ({ message, emoji }) =>
        !cleared.some((all) => all.message === message && (all.emoji === null || all.emoji === emoji)),
    );
}

/** Gateway events of reactions. */
export const reactionDispatches = [
  defineDispatch({
    event: 'MESSAGE_REACTION_ADD',
    summary: 'A user reacted to a message.',
    intents: INTENTS,
    tables: ['reactions'],
    shape: z.object({
      ...one,
      member: z.optional(memberShape),
      message_author_id: z.optional(z.string()),
      burst_colors: z.array(z.string()),
    }),
    *derive(commit, { world: { tables } }) {
      for (const reaction of commit.of('reactions').created) {
        yield* dispatchReaction(tables, reaction.message, ({ guild }, { author }) => {
          const member = guild === undefined ? undefined : memberOf(tables, guild, reaction.user);
          return {
            ...reactionFields(reaction),
            burst_colors: [],
            ...(member === undefined ? {} : { member: memberAnswer(tables, member) }),
            ...(author === null ? {} : { message_author_id: author }),
          };
        });
      }
    },
  }),
  defineDispatch({
    event: 'MESSAGE_REACTION_REMOVE',
    summary: 'A reaction to a message was removed.',
    intents: INTENTS,
    tables: ['reactions'],
    shape: z.object(one),
    *derive(commit, { world: { tables } }) {
      for (const reaction of takenBack(commit)) {
        yield* dispatchReaction(tables, reaction.message, () => reactionFields(reaction));
      }
    },
  }),
  defineDispatch({
    event: 'MESSAGE_REACTION_REMOVE_ALL',
    summary: 'All reactions to a message were removed.',
    intents: INTENTS,
    tables: ['cleared_reactions'],
    shape: z.object(messageFields),
    *derive(commit, { world: { tables } }) {
      for (const { message, emoji } of commit.of('cleared_reactions').created) {
        if (emoji === null) yield* dispatchReaction(tables, message, () => ({}));
      }
    },
  }),
  defineDispatch({
    event: 'MESSAGE_REACTION_REMOVE_EMOJI',
    summary: 'All reactions to a message with one emoji were removed.',
    intents: INTENTS,
    tables: ['cleared_reactions'],
    shape: z.object({ ...messageFields, emoji: reactionEmojiShape }),
    *derive(commit, { world: { tables } }) {
      for (const { message, emoji } of commit.of('cleared_reactions').created) {
        if (emoji !== null) yield* dispatchReaction(tables, message, () => ({ emoji: reactionEmoji(emoji) }));
      }
    },
  }),
];
