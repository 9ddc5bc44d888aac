// The recipes of CONTRIBUTING, read from the page and applied to a copy of the sources.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Fence, fences } from '../helpers/markdown.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = '.github/CONTRIBUTING.md';

/** One recipe: its title, its blocks in their order, and the commands that it ends with. */
export interface Recipe {
  readonly title: string;
  readonly blocks: readonly Fence[];
  readonly commands: readonly string[];
}

/** The recipes of the page. */
export function recipes(): readonly Recipe[] {
  const [, part = ''] = readFileSync(join(root, PAGE), 'utf8').split('\n## Recipes\n');
  const [text = ''] = part.split('\n## ');
  return text
    .split('\n### ')
    .slice(1)
    .map((section) => {
      const all = fences(section);
      return {
        title: section.split('\n', 1)[0] ?? '',
        blocks: all.filter(({ language }) => language !== 'sh'),
        commands: all
          .filter(({ language }) => language === 'sh')
          .flatMap((one) => one.text.trimEnd().split('\n')),
      };
    })
    .filter(({ blocks }) => blocks.length > 0);
}

/** Files that a recipe changes; with `new`, those that it adds. */
export function filesOf({ blocks }: Recipe, which: 'changed' | 'new'): readonly string[] {
  const pattern = which === 'new' ? /^\/\/ (\S+)\n/g : /^\+\+\+ b\/(\S+)$/gm;
  const wanted = blocks.filter(({ language }) => (language === 'diff') === (which === 'changed'));
  return wanted.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, file = '']) => file));
}

/** A copy of these folders and files of the checkout, with its packages and no version control of its own. */
export function copyOf(...names: readonly string[]): string {
  const copy = mkdtempSync(join(realpathSync(tmpdir()), 'fb-recipes-'));
  for (const name of names) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Applies the blocks of a recipe to a copy. Throws with the recipe and the block that does not apply. */
export function apply({ title, blocks }: Recipe, copy: string): void {
  for (const { language, text } of blocks) {
    if (language === 'diff') {
      const fault = ambiguityOf(text, copy) ?? patchFault(text, copy);
      if (fault !== undefined) throw new Error(`${title}: ${fault}\n${text}`);
    } else {
      const path = /^\/\/ (\S+)\n/.exec(text)?.[1];
      if (path === undefined) throw new Error(`${title}: a block does not begin with its path\n${text}`);
      if (existsSync(join(copy, path))) throw new Error(`${title}: ${path} exists already`);
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text.slice(text.indexOf('\n') + 1));
    }
  }
}

function patchFault(text: string, copy: string): string | undefined {
  const { status, stderr } = spawnSync('git', ['apply'], {
    cwd: copy,
    encoding: 'utf8',
    input: text,
    // The copy is no checkout, and lies in none.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) },
  });
  return status === 0 ? undefined : stderr;
}

/** A hunk that fits several places of its file would be applied to any of them. */
function ambiguityOf(text: string, copy: string): string | undefined {
  for (const part of text.split(/^(?=--- )/m)) {
    const path = /^\+\+\+ b\/(\S+)$/m.exec(part)?.[1] ?? '';
    if (!existsSync(join(copy, path))) return `there is no file ${path}`;
    const file = `\n${readFileSync(join(copy, path), 'utf8')}`;
    for (const hunk of part.split(/^@@ .*\n/m).slice(1)) {
      const lines = hunk.replace(/\n$/, '').split('\n');
      const before = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
      const found = file.split(`\n${before.join('\n')}\n`).length - 1;
      if (found !== 1) return `${path} has ${found} places for a hunk`;
    }
  }
  return undefined;
}
