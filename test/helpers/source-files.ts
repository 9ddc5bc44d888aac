import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Top of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Made by tools and never committed. */
export const IGNORED: readonly string[] = ['dist', 'node_modules'];

/** Every TypeScript file below a folder of the repository, by its path from the top. */
export function sourceFiles(folder: string): string[] {
  // Git keeps no empty folder.
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.split('/').some((one) => IGNORED.includes(one)))
    .map((name) => `${folder}/${name}`)
    .sort();
}
