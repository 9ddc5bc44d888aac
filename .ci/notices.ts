// The notices that the licences of bundled packages require in every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './bundle.ts';

/** Folders of the packages to which some of these sources belong. */
export function bundledPackages(sources: readonly string[]): string[] {
  // The `node_modules` folder may be elsewhere, and may be linked.
  const folders = sources.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? '');
  return [...new Set(folders)].filter((folder) => folder !== '').sort();
}

/**
 * Returns the licences of the packages in these folders, below the line `head`. Throws for a package without a licence
 * file.
 */
export function notices(folders: readonly string[], head: string): string {
  const licences = folders.map((folder) => {
    const read = (file: string): string => readFileSync(resolve(root, folder, file), 'utf8');
    const { name, version } = JSON.parse(read('package.json')) as {
      readonly name: string;
      readonly version: string;
    };
    const file = readdirSync(resolve(root, folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
    const text = file === undefined ? '' : read(file).trim();
    if (!/copyright/i.test(text))
      throw new Error(`${name} has no licence with a holder that could go with its code`);
    return `${name} ${version}\n\n${text}`;
  });
  return `${[head, ...licences].join('\n\n\n')}\n`;
}
