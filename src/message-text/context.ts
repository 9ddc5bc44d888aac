import { parseText } from './markdown.ts';
import type { TextNode } from './nodes.ts';
import { plainText, type Reading } from './plain.ts';
import { listOf, type Names, objectOf, textOf, userName } from './shape.ts';
import { isSystemMessage, systemText } from './system.ts';

/** Sentence about the command that a message answers. */
export function commandText(message: object, names: Names): string | undefined {
  const origin = objectOf(message, 'interaction_metadata') ?? objectOf(message, 'interaction');
  const name = textOf(origin, 'name');
  if (name === '') return undefined;
  const isSlash = textOf(origin, 'target_message_id') === '' && objectOf(origin, 'target_user') === undefined;
  return `${userName(names, objectOf(origin, 'user'))} used ${isSlash ? '/' : ''}${name}`;
}

/** Author and beginning of a message in one line. */
export function excerpt(message: object, reading: Reading): string {
  return `${userName(reading.names, objectOf(message, 'author'))}: ${beginning(message, reading)}`;
}

const MAX_EXCERPT = 100;

/** Beginning of a message in one line; a message without text is named by its parts. */
export function beginning(message: object, reading: Reading): string {
  const text = plainText(parseText(textOf(message, 'content').slice(0, 500)).map(covered), reading)
    .replace(/\s+/g, ' ')
    .trim();
  if (text !== '') return text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;
  if (isSystemMessage(message)) return plainText(systemText(message, reading.names), reading);
  if (objectOf(message, 'poll') !== undefined) return 'a poll';
  if (listOf(message, 'sticker_items').length > 0) return 'a sticker';
  if (listOf(message, 'attachments').length > 0) return 'a file';
  if (listOf(message, 'embeds').length > 0) return 'an embed';
  return listOf(message, 'components').length > 0 ? 'components' : 'a message without text';
}

/** The same with covers instead of its spoilers, which an excerpt must not reveal. */
function covered(node: TextNode): TextNode {
  if (node.type === 'spoiler') return { type: 'text', text: '▇▇▇' };
  if (node.type === 'list') return { ...node, items: node.items.map((item) => item.map(covered)) };
  return 'content' in node ? { ...node, content: node.content.map(covered) } : node;
}
