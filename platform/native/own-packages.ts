import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the `node_modules` folders of our own installation: the one below our package, and those in which the package
 * itself is installed. Node would also search the parent folders, such as `/home` or `/tmp`, in which another user may
 * have put a package of the same name. `here` is the URL of a file one folder below our package's root, as all files of
 * a bundle are, or two folders below it, as this file is. A single executable has no packages.
 */
export function ownPackageFolders(here: string = import.meta.url): string[] {
  const file = fileURLToPath(here);
  if (!/\.[cm]?[jt]s$/.test(file)) return [];
  const above = dirname(dirname(file));
  const root = [above, dirname(above)].find((one) => existsSync(join(one, 'package.json'))) ?? above;
  const folders = [join(root, 'node_modules')];
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder) === 'node_modules') folders.push(folder);
  }
  return folders;
}

/**
 * Returns the main file of an installed package, searched only in those folders; undefined for a missing or incomplete
 * package.
 */
export function ownPackageEntry(name: string, folders: readonly string[]): string | undefined {
  const folder = folders.map((one) => join(one, name)).find((one) => existsSync(join(one, 'package.json')));
  if (folder === undefined) return undefined;
  try {
    const entry = createRequire(join(folder, 'package.json')).resolve(name);
    // For a package without its main file, Node continues in the parent folders; such a result is rejected.
    return entry.startsWith(realpathSync(folder) + sep) ? entry : undefined;
  } catch {
    return undefined;
  }
}
