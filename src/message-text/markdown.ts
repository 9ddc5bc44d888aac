import { inlineNodes } from './inline.ts';
import { type Budget, MAX_DEPTH, type TextNode } from './nodes.ts';

/** Maximum length of a text whose markup is read (characters); the rest stays plain text. */
const MAX_CHARS = 6000;
/** Work for one text: more than any text needs that people write. A browser lays out so many nodes in one frame. */
const MAX_STEPS = 60_000;
const MAX_NODES = 500;

/**
 * Nodes of a text with the platform's markup. The time is bounded for any text, because the work is counted: marks beyond
 * the bound stay plain text.
 */
export function parseText(text: string): readonly TextNode[] {
  const budget: Budget = { steps: MAX_STEPS, nodes: MAX_NODES };
  const nodes = blocks(text.slice(0, MAX_CHARS), budget, 0, false);
  return text.length > MAX_CHARS ? [...nodes, { type: 'text', text: text.slice(MAX_CHARS) }] : nodes;
}

const BLOCK = /^(?:(#{1,3}|-#) +(?=\S)|( *)([-*]|\d{1,9}\.) +(?=\S)|(>>> )|(> ))/;

function blocks(text: string, budget: Budget, depth: number, isQuoted: boolean): readonly TextNode[] {
  if (depth >= MAX_DEPTH) return inlineNodes(text, budget, depth);
  const nodes: TextNode[] = [];
  const add = (node: TextNode): void => {
    budget.nodes -= 1;
    nodes.push(node);
  };
  let at = 0;
  while (at < text.length) {
    const start = budget.nodes > 0 ? blockAt(text, at, isQuoted) : undefined;
    if (start === undefined) {
      const end = paragraphEnd(text, at, isQuoted, budget);
      // The line break before a block belongs to the block.
      nodes.push(
        ...inlineNodes(text.slice(at, end).replace(/\n$/, end < text.length ? '' : '\n'), budget, depth),
      );
      at = end;
      continue;
    }
    const [mark, heading, indent = '', bullet, restQuote, lineQuote] = start;
    if (restQuote !== undefined) {
      add({ type: 'quote', content: blocks(text.slice(at + mark.length), budget, depth + 1, true) });
      return nodes;
    }
    if (lineQuote !== undefined) {
      const { inside, end } = quotedLines(text, at);
      add({ type: 'quote', content: blocks(inside, budget, depth + 1, true) });
      at = end;
    } else if (bullet !== undefined) {
      const { items, end } = listItems(text, at, indent.length, isOrdered(bullet));
      add({
        type: 'list',
        start: isOrdered(bullet) ? Number.parseInt(bullet, 10) : undefined,
        items: items.map((item) => blocks(item, budget, depth + 1, isQuoted)),
      });
      at = end;
    } else {
      const end = lineEnd(text, at);
      const content = inlineNodes(text.slice(at + mark.length, end).trimEnd(), budget, depth + 1);
      add(
        heading === '-#' ? { type: 'subtext', content } : { type: 'heading', level: level(heading), content },
      );
      at = end;
    }
    if (text[at] === '\n') at += 1;
  }
  return nodes;
}

function level(mark = ''): 1 | 2 | 3 {
  return Math.min(3, Math.max(1, mark.length)) as 1 | 2 | 3;
}

function isOrdered(bullet: string): boolean {
  return bullet.length > 1;
}

/** The block that begins at a line's start. */
function blockAt(text: string, at: number, isQuoted: boolean): RegExpExecArray | undefined {
  const found = BLOCK.exec(text.slice(at, at + 200));
  if (found === null) return undefined;
  return isQuoted && (found[4] ?? found[5]) !== undefined ? undefined : found;
}

/** End of a paragraph: the start of the line with the next block. */
function paragraphEnd(text: string, from: number, isQuoted: boolean, budget: Budget): number {
  let at = from;
  while (at < text.length) {
    at = Math.min(text.length, lineEnd(text, at) + 1);
    if (budget.nodes > 0 && blockAt(text, at, isQuoted) !== undefined) break;
  }
  return at;
}

/** End of a line; the lines of a code block are one with the line on which it begins. */
function lineEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    const fence = text.slice(at, end).indexOf('```');
    if (fence === -1) return end;
    const close = text.indexOf('```', at + fence + 3);
    if (close === -1) return end;
    at = close + 3;
  }
}

function quotedLines(text: string, from: number): { readonly inside: string; readonly end: number } {
  const lines: string[] = [];
  let at = from;
  while (text.startsWith('> ', at)) {
    const end = text.indexOf('\n', at);
    lines.push(text.slice(at + 2, end === -1 ? text.length : end));
    at = end === -1 ? text.length : end + 1;
  }
  // The loop stands behind the last line's break, which the caller passes over.
  return { inside: lines.join('\n'), end: text[at - 1] === '\n' ? at - 1 : at };
}

/** Texts of a list's items, each with the lines below it that are indented further. */
function listItems(
  text: string,
  from: number,
  indent: number,
  ordered: boolean,
): { readonly items: readonly string[]; readonly end: number } {
  const items: string[] = [];
  let at = from;
  let end = from;
  while (at < text.length) {
    const found = BLOCK.exec(text.slice(at, at + 200));
    const lineIndent = /^ */.exec(text.slice(at, at + 200))?.[0].length ?? 0;
    const isItem = found?.[3] !== undefined && lineIndent < indent + 2;
    if (isItem ? isOrdered(found?.[3] ?? '') !== ordered : lineIndent < indent + 2) break;
    end = lineEnd(text, at);
    if (isItem) items.push(text.slice(at + (found?.[0].length ?? 0), end));
    else items.push(`${items.pop() ?? ''}\n${text.slice(at + indent + 2, end)}`);
    at = end + 1;
  }
  return { items, end };
}
