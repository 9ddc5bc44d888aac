import { join } from 'node:path';
import type { Environment } from '../../../platform/endpoint/endpoints.ts';
import { rereadBounded } from '../../../platform/files/read-bounded.ts';
import { shellWord } from '../../base/shell-word.ts';
import { namesIn } from './names-in.ts';

/** File of the user that makes a link or a relay again. */
export type Recipe =
  /** Line of a file of tmpfiles.d(5), counted from 1. `isAlone`: no other line of the file does anything. */
  | { readonly kind: 'tmpfiles'; readonly file: string; readonly line: number; readonly isAlone: boolean }
  /** Unit of systemd, as `systemctl --user` names it. */
  | { readonly kind: 'unit'; readonly unit: string };

/** Maximum number of files of one folder that are read, and of the bytes of each. */
const MAX_FILES = 256;
const MAX_BYTES = 64 * 1024;

/** Finds the recipe in the configuration of this user that makes the file at `path`. */
export async function findRecipe(path: string, env: Environment): Promise<Recipe | undefined> {
  const home = env['HOME'];
  if (home === undefined) return undefined;
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  const data = env['XDG_DATA_HOME'] || join(home, '.local/share');
  const expand = (text: string): string =>
    text.replaceAll('%t', () => env['XDG_RUNTIME_DIR'] ?? '%t').replaceAll('%h', () => home);
  for (const folder of [join(config, 'user-tmpfiles.d'), join(data, 'user-tmpfiles.d')]) {
    for (const { name, text } of await filesIn(folder, /\.conf$/)) {
      const found = lineFor(path, expand(text));
      if (found !== undefined) return { kind: 'tmpfiles', file: join(folder, name), ...found };
    }
  }
  for (const { name, text } of await filesIn(join(config, 'systemd/user'), /\.(?:socket|service)$/)) {
    if (makesSocket(path, expand(text))) return { kind: 'unit', unit: name };
  }
  return undefined;
}

/** Line of type `L` or `L+` that makes a link at the path. */
function lineFor(path: string, text: string): { line: number; isAlone: boolean } | undefined {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const index = lines.findIndex(([type = '', where]) => /^L[+?!]*$/.test(type) && where === path);
  if (index < 0) return undefined;
  const active = lines.filter(([type = '']) => type !== '' && !type.startsWith('#'));
  return { line: index + 1, isAlone: active.length === 1 };
}

/** Whether a unit listens at the path: by socket activation, or by a relay that it starts. */
function makesSocket(path: string, text: string): boolean {
  return text.split('\n').some((line) => {
    const [, key = '', value = ''] = /^(ListenStream|Exec\w+)\s*=\s*(.*)$/.exec(line.trim()) ?? [];
    if (key === 'ListenStream') return value === path;
    return (
      key !== '' &&
      value.split(/[\s,"']+/).some((word) => word.toLowerCase() === `unix-listen:${path}`.toLowerCase())
    );
  });
}

async function filesIn(folder: string, names: RegExp): Promise<{ name: string; text: string }[]> {
  const found: { name: string; text: string }[] = [];
  for (const name of namesIn(folder)
    .filter((one) => names.test(one))
    .slice(0, MAX_FILES)) {
    // A file that cannot be read is no recipe that can be named.
    const text = await rereadBounded(join(folder, name), MAX_BYTES).catch(() => undefined);
    if (text !== undefined) found.push({ name, text });
  }
  return found;
}

/** One command that removes a file and, where a recipe makes it again, the recipe. */
export async function removal(path: string, env: Environment): Promise<string> {
  const recipe = await findRecipe(path, env);
  switch (recipe?.kind) {
    case undefined:
      return `rm ${shellWord(path)}`;
    case 'tmpfiles':
      return recipe.isAlone
        ? `rm ${shellWord(path)} ${shellWord(recipe.file)}`
        : `rm ${shellWord(path)} && sed -i ${shellWord(`${recipe.line}d`)} ${shellWord(recipe.file)}`;
    case 'unit':
      return `${disabling(recipe)}; rm -f ${shellWord(path)}`;
  }
}

/** Command that stops the unit of a recipe, now and at the next login. */
export function disabling({ unit }: Extract<Recipe, { kind: 'unit' }>): string {
  return `systemctl --user disable --now ${shellWord(unit)}`;
}
