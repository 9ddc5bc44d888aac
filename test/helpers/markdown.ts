import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A fenced block of a page. */
export interface Fence {
  /** What stands behind the first fence, such as `js`. */
  readonly language: string;
  readonly text: string;
  /** Of its first line of text, from 1. */
  readonly line: number;
}

/** Every fenced block of a page, in their order. */
export function fences(page: string): Fence[] {
  const found: Fence[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    const [, language] = /^```(\w*)$/.exec(line) ?? [];
    if (language === undefined) open?.lines.push(line);
    else if (open === undefined) open = { language, line: index + 2, lines: [] };
    else {
      found.push({ language: open.language, line: open.line, text: `${open.lines.join('\n')}\n` });
      open = undefined;
    }
  }
  return found;
}

/**
 * The links of a page that lead to no file below `root`, or to none of `files`, or to no heading of it; addresses of
 * others are not asked.
 */
export function deadLinks(root: string, page: string, files?: readonly string[]): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  const links = text.matchAll(/\]\(([^()\s]+)\)|\b(?:src|srcset)="([^"\s]+)"/g);
  return [...links].flatMap(([, marked, picture]) => {
    const link = marked ?? picture ?? '';
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', heading] = link.split('#', 2);
    const target = path === '' ? page : normalize(join(dirname(page), path));
    const file = join(root, target);
    if (target.startsWith('..') || !existsSync(file) || files?.includes(target) === false)
      return [`${page}: ${link}`];
    if (heading === undefined || statSync(file).isDirectory()) return [];
    return headings(readFileSync(file, 'utf8')).includes(heading) ? [] : [`${page}: ${link}`];
  });
}

/** As pages are shown: lower case, blanks as dashes, no punctuation. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
