/** Unicode emoji characters, and the characters without the emoji property that keycaps and flags consist of. */
const UNICODE = /^(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\u20e3|\ufe0f|\u200d)+$/u;

/**
 * Stored form of an emoji in a path or body: the character, or `name:id`; undefined for any other text. `a:name:id`,
 * and a form in angle brackets, are also accepted.
 */
export function emojiOf(text: string): string | undefined {
  const [, name, id] = /^<?(?:a:|:)?(\w{2,32}):(\d{1,20})>?$/.exec(text) ?? [];
  if (name !== undefined && id !== undefined) return `${name}:${id}`;
  return text.length <= 64 && UNICODE.test(text) && /[^\d#*]/u.test(text) ? text : undefined;
}

/** Whether a text is a Unicode emoji, and not an emoji of a guild. */
export function isUnicodeEmoji(text: string): boolean {
  return emojiOf(text) === text && !text.includes(':');
}
