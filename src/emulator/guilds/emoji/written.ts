/** Characters of emoji beyond those that have the property: keycaps and flags are made of others. */
const UNICODE = /^(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\u20e3|\ufe0f|\u200d)+$/u;

/**
 * An emoji of a path or a body as it is kept: itself, or `name:id`; undefined for what is none. `a:name:id` and what
 * stands in angle brackets mean the same.
 */
export function emojiOf(text: string): string | undefined {
  const [, name, id] = /^<?(?:a:|:)?(\w{2,32}):(\d{1,20})>?$/.exec(text) ?? [];
  if (name !== undefined && id !== undefined) return `${name}:${id}`;
  return text.length <= 64 && UNICODE.test(text) && /[^\d#*]/u.test(text) ? text : undefined;
}

/** Whether a text is an emoji of Unicode, and none that a guild has made. */
export function isUnicodeEmoji(text: string): boolean {
  return emojiOf(text) === text && !text.includes(':');
}
