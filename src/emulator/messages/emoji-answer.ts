import type * as z from 'zod';
import type { reactionEmojiShape } from './shapes.ts';

/** Emoji object of a stored emoji, which is a Unicode emoji or `name:id`. */
export function reactionEmoji(emoji: string): z.output<typeof reactionEmojiShape> {
  const [, name, id] = /^(\w{2,32}):(\d{1,20})$/.exec(emoji) ?? [];
  return id === undefined || name === undefined ? { id: null, name: emoji } : { id, name };
}
