import { type Budget, MAX_DEPTH, type TextNode, type TimeStyle } from './nodes.ts';
import { webAddress } from './shape.ts';

/** A recognized part of a text: its node, or plain text for an escaped character; `end` is the index behind it. */
interface Match {
  readonly node: TextNode | string;
  readonly end: number;
}

/** Characters at which a mark may begin. */
const START = /[\\`*_~|<@[h]/g;

/** Nodes of a text whose lines are parts of one paragraph. */
export function inlineNodes(text: string, budget: Budget, depth: number): readonly TextNode[] {
  const nodes: TextNode[] = [];
  // Marks without an end from here on, which makes the search for the ends of many open marks linear.
  const open = new Set<string>();
  let plain = '';
  const add = (node: TextNode): void => {
    if (plain !== '') nodes.push({ type: 'text', text: plain });
    plain = '';
    nodes.push(node);
    budget.nodes -= 1;
  };
  let at = 0;
  while (at < text.length) {
    START.lastIndex = at;
    const hasBudget = budget.steps > 0 && budget.nodes > 0 && depth < MAX_DEPTH;
    const start = hasBudget ? (START.exec(text)?.index ?? text.length) : text.length;
    plain += text.slice(at, start);
    at = start;
    if (at === text.length) break;
    const match = matchAt(text, at, { budget, depth, open });
    const { node, end } = match ?? { node: text.charAt(at), end: at + 1 };
    if (typeof node === 'string') plain += node;
    else add(node);
    // The line break behind a block belongs to the block.
    const isBlock = typeof node !== 'string' && node.type === 'code-block';
    at = isBlock && text[end] === '\n' ? end + 1 : end;
  }
  if (plain !== '') nodes.push({ type: 'text', text: plain });
  return nodes;
}

interface Search {
  readonly budget: Budget;
  readonly depth: number;
  readonly open: Set<string>;
}

function matchAt(text: string, at: number, search: Search): Match | undefined {
  switch (text[at]) {
    case '\\':
      return escaped(text, at);
    case '`':
      return text.startsWith('```', at) ? (codeBlock(text, at) ?? code(text, at)) : code(text, at);
    case '*':
      return marked(text, at, '**', 'strong', search) ?? emphasis(text, at, '*', search);
    case '_':
      return marked(text, at, '__', 'underline', search) ?? emphasis(text, at, '_', search);
    case '~':
      return marked(text, at, '~~', 'strike', search);
    case '|':
      return marked(text, at, '||', 'spoiler', search);
    case '[':
      return maskedLink(text, at, search);
    case 'h':
      return address(text, at);
    default:
      return reference(text, at);
  }
}

const SHRUG = '¯\\_(ツ)_/¯';

function escaped(text: string, at: number): Match | undefined {
  if (text.startsWith(SHRUG, at - 1)) return { node: SHRUG.slice(1), end: at + SHRUG.length - 1 };
  const next = text.charAt(at + 1);
  return /[^0-9A-Za-z\s]/.test(next) ? { node: next, end: at + 2 } : undefined;
}

function codeBlock(text: string, at: number): Match | undefined {
  const close = text.indexOf('```', at + 3);
  if (close === -1) return undefined;
  const inside = text.slice(at + 3, close);
  const [first, language = ''] = /^([a-z0-9_+.#-]{1,40})\n/i.exec(inside) ?? [''];
  const rest = inside.slice(first.length).trim() === '' ? inside : inside.slice(first.length);
  const content = rest.replace(/^\n+/, '').trimEnd();
  if (content === '') return undefined;
  return {
    node: { type: 'code-block', language: rest === inside ? '' : language, text: content },
    end: close + 3,
  };
}

function code(text: string, at: number): Match {
  let size = 1;
  while (text[at + size] === '`') size += 1;
  const mark = '`'.repeat(size);
  for (let close = text.indexOf(mark, at + size); close !== -1; close = text.indexOf(mark, close)) {
    let end = close + size;
    while (text[end] === '`') end += 1;
    if (end === close + size && text.slice(at + size, close).trim() !== '') {
      return { node: { type: 'code', text: text.slice(at + size, close) }, end };
    }
    close = end;
  }
  return { node: mark, end: at + size };
}

type MarkType = 'strong' | 'underline' | 'strike' | 'spoiler';

function marked(text: string, at: number, mark: string, type: MarkType, search: Search): Match | undefined {
  if (!text.startsWith(mark, at) || search.open.has(mark)) return undefined;
  const from = at + mark.length;
  // Of `***` the first two close, so that `**a *b***` has its emphasis inside.
  const isLast = mark === '**' || mark === '__';
  const close = scan(text, from, search.budget, (index) => {
    const isEnd = index > from && text.startsWith(mark, index);
    return isEnd && !(isLast && text[index + 2] === mark[0]);
  });
  if (close === undefined) {
    search.open.add(mark);
    return undefined;
  }
  return {
    node: { type, content: inlineNodes(text.slice(from, close), search.budget, search.depth + 1) },
    end: close + mark.length,
  };
}

function emphasis(text: string, at: number, mark: '*' | '_', search: Search): Match | undefined {
  const from = at + 1;
  const isWord = mark === '_';
  if (search.open.has(mark) || /\s|^$/.test(text.charAt(from))) return undefined;
  if (isWord && isWordAt(text, at - 1)) return undefined;
  let skipped = -1;
  const close = scan(text, from, search.budget, (index) => {
    if (text[index] !== mark || index === skipped) return false;
    if (text[index + 1] === mark) {
      skipped = index + 1;
      return false;
    }
    // Marks alone are no content.
    if (/^[*_]*$/.test(text.slice(from, Math.min(index, from + 4)))) return false;
    return isWord ? !isWordAt(text, index + 1) : !/\s/.test(text.charAt(index - 1));
  });
  if (close === undefined) {
    search.open.add(mark);
    return undefined;
  }
  const content = inlineNodes(text.slice(from, close), search.budget, search.depth + 1);
  return { node: { type: 'em', content }, end: close + 1 };
}

/** First index at which a mark ends, without escaped characters. */
function scan(
  text: string,
  from: number,
  budget: Budget,
  isEnd: (index: number) => boolean,
): number | undefined {
  for (let index = from; index < text.length && budget.steps > 0; index += 1) {
    budget.steps -= 1;
    if (text[index] === '\\') index += 1;
    else if (isEnd(index)) return index;
  }
  return undefined;
}

function isWordAt(text: string, index: number): boolean {
  return /[0-9A-Za-z_]/.test(text.charAt(index));
}

const ADDRESS = /https?:\/\/[^\s<]{0,2000}[^<.,:;"'\])}\s]/y;

function address(text: string, at: number): Match | undefined {
  ADDRESS.lastIndex = at;
  let found = ADDRESS.exec(text)?.[0] ?? '';
  // An address between parentheses ends before the last one of them; parentheses of its own belong to it.
  if (text[at + found.length] === ')' && found.includes('(')) found += ')';
  return link(found, at + found.length);
}

function link(found: string, end: number): Match | undefined {
  const url = webAddress(found);
  return url === undefined
    ? undefined
    : { node: { type: 'link', url, content: [{ type: 'text', text: found }] }, end };
}

/** Maximum length of a masked link's label (characters). */
const MAX_LABEL = 1000;
const TARGET =
  /\]\(\s?<?(https?:\/\/[^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,500})?)>?(?:\s+"[^"\n]{0,200}")?\s?\)/iy;

function maskedLink(text: string, at: number, search: Search): Match | undefined {
  if (search.open.has('](') || search.open.has('in a link')) return undefined;
  if (!text.includes('](', at)) {
    search.open.add('](');
    return undefined;
  }
  const close = scan(text.slice(0, at + MAX_LABEL), at + 1, search.budget, (index) => text[index] === ']');
  if (close === undefined) return undefined;
  const label = text.slice(at + 1, close);
  if (label.trim() === '') return undefined;
  TARGET.lastIndex = close;
  const [all, target = ''] = TARGET.exec(text) ?? [];
  const url = webAddress(target);
  if (all === undefined || url === undefined) return undefined;
  const content = inlineNodes(label, search.budget, search.depth + 1).map(unlinked);
  return { node: { type: 'link', url, content }, end: close + all.length };
}

/** The same without a link, which another link must not contain. */
function unlinked(node: TextNode): TextNode {
  if (node.type === 'link') return { type: 'em', content: node.content };
  if (!('content' in node)) return node;
  return { ...node, content: node.content.map(unlinked) };
}

const REFERENCES: readonly (readonly [RegExp, (parts: readonly string[]) => TextNode | undefined])[] = [
  [/<@!?(\d{1,20})>/y, ([, id = '']) => ({ type: 'user', id })],
  [/<@&(\d{1,20})>/y, ([, id = '']) => ({ type: 'role', id })],
  [/<#(\d{1,20})>/y, ([, id = '']) => ({ type: 'channel', id })],
  [
    /<(a?):(\w{2,32}):(\d{1,20})>/y,
    ([, animated, name = '', id = '']) => ({ type: 'emoji', id, name, animated: animated === 'a' }),
  ],
  [/<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/y, ([, seconds = '', style = 'f']) => time(Number(seconds), style)],
  [/<\/([^:<>\n]{1,100}):\d{1,20}>/y, ([, name = '']) => ({ type: 'command', name })],
  [
    /<id:(customize|browse|guide|linked-roles(?::\d{1,20})?)>/y,
    ([, to = '']) => ({ type: 'navigation', to }),
  ],
  [/<(https?:\/\/[^\s<>]{1,2000})>/iy, ([, found = '']) => link(found, 0)?.node as TextNode | undefined],
  [/@(everyone|here)\b/y, ([, name]) => ({ type: 'everyone', name: name as 'everyone' | 'here' })],
];

function reference(text: string, at: number): Match | undefined {
  if (text[at] === '<' && !/[@#:at/ih]/i.test(text.charAt(at + 1))) return undefined;
  for (const [pattern, make] of REFERENCES) {
    pattern.lastIndex = at;
    const parts = pattern.exec(text);
    const node = parts === null ? undefined : make(parts);
    if (parts !== null && node !== undefined) return { node, end: at + parts[0].length };
  }
  return undefined;
}

/** Last moment that a date can have (s since the Unix epoch). */
const LAST_SECOND = 8.64e12;

function time(at: number, style: string): TextNode | undefined {
  return Math.abs(at) > LAST_SECOND ? undefined : { type: 'time', at, style: style as TimeStyle };
}
