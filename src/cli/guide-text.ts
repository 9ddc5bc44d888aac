// Formats a guide for a terminal: headings, paragraphs, lists, tables and code of the Markdown that the guides use.
import type { Style } from '../base/style.ts';

/** Maximum width of a line of prose (characters); code keeps its own lines. */
const MAX_COLUMNS = 96;

/** Turns the Markdown of a guide into text for a terminal. */
export function guideText(markdown: string, style: Style): string {
  const lines = markdown.replaceAll(/<(?:!--|picture>)[\s\S]*?(?:-->|<\/picture>)\n?/g, '').split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at);
    const block = blockText(lines.slice(at, end), style);
    if (block !== '') blocks.push(block);
    at = end;
  }
  return `${blocks.join('\n\n')}\n`;
}

const isTable = (line: string | undefined): boolean => line?.startsWith('|') === true;
const isItem = (line: string): boolean => /^\s*(?:[-*]|\d+\.) /.test(line);

/** Index after the block that begins at `at`: a fence, a table, a heading, or lines up to an empty line. */
function endOfBlock(lines: readonly string[], at: number): number {
  const [first = ''] = lines.slice(at);
  const from = at + 1;
  const indent = /^(\s*)```/.exec(first)?.[1];
  if (indent !== undefined) return endAfter(lines, from, (line) => line === `${indent}\`\`\``) + 1;
  if (first.startsWith('#') || first.trim() === '') return from;
  if (isTable(first)) return endAfter(lines, from, (line) => !isTable(line));
  return endAfter(lines, from, (line) => line.trim() === '' || /^(?:\s*```|#|\|)/.test(line) || isItem(line));
}

function endAfter(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const found = lines.slice(from).findIndex(isEnd);
  return found < 0 ? lines.length : from + found;
}

function blockText(lines: readonly string[], style: Style): string {
  const [first = ''] = lines;
  if (/^\s*```/.test(first)) {
    const code = lines.slice(1).filter((line) => !/^\s*```$/.test(line));
    return code.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
  }
  const [, marks, title = ''] = /^(#+) (.*)$/.exec(first) ?? [];
  if (marks !== undefined)
    return style.strong(marks.length === 1 ? plain(title).toUpperCase() : plain(title));
  if (isTable(first)) return tableText(lines, style);
  const text = plain(lines.map((line) => line.trim()).join(' '));
  const [bullet = ''] = /^(?:[-*]|\d+\.) /.exec(text) ?? [];
  return wrapped(text, ' '.repeat(bullet.length));
}

/**
 * Formats a table: each row becomes its first cell, with the other cells below, each labelled with the heading of its
 * column.
 */
function tableText(lines: readonly string[], style: Style): string {
  const [head = [], , ...rows] = lines.map((line) => cellsOf(line).map(plain));
  return rows
    .map(([name = '', ...cells]) => {
      const rendered = cells.flatMap((cell, index) => {
        const title = head[index + 1] ?? '';
        const label = title === '' || cells.length === 1 ? '' : `${title}: `;
        return cell === '' ? [] : wrapped(`${label}${cell}`, '    ').replace(/^/, '    ');
      });
      return [style.strong(wrapped(name, '  ')), ...rendered].join('\n');
    })
    .join('\n');
}

/** Cells of a table row; a bar within code is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/**
 * Removes the marks of Markdown. A link becomes its text; a link to another guide becomes the command that shows that
 * guide.
 */
function plain(text: string): string {
  return text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]+)\]\((?:guide\/)?([a-z-]+)\.md(?:#[^)]*)?\)/g, '$1 (footbridge help $2)')
    .replaceAll(/\[([^\]]+)\]\((https?:[^)]*)\)/g, '$1 ($2)')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(
      /`([^`]*)`|\*\*([^*]+)\*\*|(?<!\w)\*([^*\s][^*]*)\*/g,
      (_, code?: string, strong?: string, emphasis?: string) => code ?? plain(strong ?? emphasis ?? ''),
    );
}

/** Wraps a text into lines of at most {@link MAX_COLUMNS}; every line after the first begins with `indent`. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/)) {
    if (line.trim() !== '' && line.length + word.length >= MAX_COLUMNS) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
