import { parseText } from './markdown.ts';
import type { TextNode } from './nodes.ts';
import { type Names, own, textOf } from './shape.ts';
import { type Locale, timeText } from './time.ts';

/** What a text is read with. */
export interface Reading {
  readonly names: Names;
  /** Time of reading (ms since the Unix epoch). */
  readonly now: number;
  readonly locale?: Locale | undefined;
}

/** Text with markup, as text without it. */
export function plainTextOf(text: string, reading: Reading): string {
  return plainText(parseText(text), reading);
}

/** Nodes as text without markup, in lines; a spoiler stays between its bars. */
export function plainText(nodes: readonly TextNode[], reading: Reading): string {
  let text = '';
  for (const node of nodes) {
    const part = plainNode(node, reading);
    const isBlock = BLOCKS.includes(node.type);
    if (isBlock && text !== '' && !text.endsWith('\n')) text += '\n';
    text += isBlock ? `${part}\n` : part;
  }
  return text.replace(/\n$/, '');
}

const BLOCKS: readonly TextNode['type'][] = ['heading', 'subtext', 'quote', 'list', 'code-block'];

function plainNode(node: TextNode, reading: Reading): string {
  switch (node.type) {
    case 'text':
    case 'code':
    case 'code-block':
      return node.text;
    case 'spoiler':
      return `||${plainText(node.content, reading)}||`;
    case 'quote':
      return indented(plainText(node.content, reading), '> ');
    case 'list':
      return node.items
        .map((item, index) => {
          const mark = node.start === undefined ? '• ' : `${node.start + index}. `;
          return indented(plainText(item, reading), ' '.repeat(mark.length)).replace(/^ +/, mark);
        })
        .join('\n');
    case 'link': {
      const label = plainText(node.content, reading);
      return webLabel(label) === webLabel(node.url) ? label : `${label} <${node.url}>`;
    }
    case 'time':
      return timeText(node.at, node.style, reading.now, reading.locale);
    case 'user':
    case 'role':
    case 'channel':
    case 'everyone':
    case 'command':
    case 'navigation':
    case 'emoji':
      return referenceText(node, reading.names);
    default:
      return plainText(node.content, reading);
  }
}

type Reference = Extract<TextNode, { id: string } | { to: string } | { type: 'everyone' | 'command' }>;

const PLACES: Readonly<Record<string, string>> = {
  customize: 'Channels & Roles',
  browse: 'Browse Channels',
  guide: 'Server Guide',
};

/** Text of a mention, a command, a place or an emoji. */
export function referenceText(node: Reference, { users, roles, channels }: Names): string {
  switch (node.type) {
    case 'user':
      return `@${own(users, node.id)?.name ?? 'unknown-user'}`;
    case 'role':
      return `@${own(roles, node.id)?.name ?? 'unknown-role'}`;
    case 'channel':
      return `#${own(channels, node.id)?.name ?? 'unknown'}`;
    case 'everyone':
      return `@${node.name}`;
    case 'command':
      return `/${node.name}`;
    case 'navigation':
      return PLACES[node.to] ?? 'Linked Roles';
    case 'emoji':
      return `:${node.name}:`;
  }
}

/** Text with a mark before each line. */
export function indented(text: string, mark: string): string {
  return text.replace(/^/gm, mark);
}

function webLabel(text: string): string {
  return text.replace(/\/$/, '');
}

/** Text of an emoji object: the sign, or the name of a custom one between colons. */
export function emojiText(emoji: object): string {
  const name = textOf(emoji, 'name');
  return textOf(emoji, 'id') === '' ? name : `:${name || 'removed'}:`;
}

/** Size of a file in words. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const unit = bytes < 1024 ** 2 ? 'KiB' : 'MiB';
  return `${(bytes / (unit === 'KiB' ? 1024 : 1024 ** 2)).toFixed(1)} ${unit}`;
}
