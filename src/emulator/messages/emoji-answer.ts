import * as z from 'zod';

/** An emoji as a reaction or a poll shows it. */
export const reactionEmojiShape = z.object({
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  animated: z.optional(z.boolean()),
});

/** An emoji that is kept as itself or as `name:id`, as it is told. */
export function reactionEmoji(emoji: string): z.output<typeof reactionEmojiShape> {
  const [, name, id] = /^(\w{2,32}):(\d{1,20})$/.exec(emoji) ?? [];
  return id === undefined || name === undefined ? { id: null, name: emoji } : { id, name };
}
