import type * as z from 'zod';
import type { reactionEmojiShape } from './shapes.ts';

/** An emoji that is kept as itself or as `name:id`, as it is told. */
export function reactionEmoji(emoji: string): z.output<typeof reactionEmojiShape> {
  const [, name, id] = /^(\w{2,32}):(\d{1,20})$/.exec(emoji) ?? [];
  return id === undefined || name === undefined ? { id: null, name: emoji } : { id, name };
}
