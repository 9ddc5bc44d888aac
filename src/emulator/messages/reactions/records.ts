import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';

/** One user's reaction to a message. */
export const reactions = defineRecord({
  name: 'reactions',
  noun: 'reaction',
  about: 'reactions: `emoji` is itself, or `name:id`',
  key: ['message', 'emoji', 'user'],
  references: {
    message: { to: 'messages', onRemoval: 'remove' },
    user: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
  },
  schema: ({ table, snowflake, matching, userOrMe }: SchemaParts) =>
    table({
      message: snowflake(),
      /** A Unicode emoji, or `name:id` of a custom emoji. */
      emoji: matching(/^[^\s\p{C}]{1,64}$/u, 'must be an emoji, or name:id of one'),
      user: userOrMe(),
    }),
});

/**
 * Removal of all reactions to a message, or of all reactions with one emoji. It is one event instead of one event per
 * reaction.
 */
export const clearedReactions = defineRecord({
  name: 'cleared_reactions',
  noun: 'clearing of reactions',
  key: ['id'],
  transient: true,
  references: { message: { to: 'messages', onRemoval: 'remove' } },
  schema: ({ table, anyText, orNull }: SchemaParts) =>
    table({ id: anyText(), message: anyText(), emoji: orNull(anyText()) }),
});
