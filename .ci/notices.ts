// The notices that the licences of bundled packages require in every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './bundle.ts';
import { read } from './staging.ts';

/** Returns our licence and those of the packages of these sources; with `native` also that of koffi's native part. */
export function licencesOf(sources: readonly string[], head: string, native: boolean): string {
  const what = 'With it comes the native part of this package.';
  const koffi = native ? noticesOf(['node_modules/koffi'], what) : '';
  return [read('LICENSE'), notices(sources, head), koffi].join('\n');
}

/**
 * Returns the licences of the packages to which some of these sources belong, below the line `head`. Throws for a package
 * without a licence file.
 */
export function notices(sources: readonly string[], head: string): string {
  // The `node_modules` folder may be elsewhere, and may be linked.
  const folders = sources.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? '');
  return noticesOf([...new Set(folders)].filter((folder) => folder !== '').sort(), head);
}

function noticesOf(folders: readonly string[], head: string): string {
  const licences = folders.map((folder) => {
    const read = (file: string): string => readFileSync(resolve(root, folder, file), 'utf8');
    const { name, version } = JSON.parse(read('package.json')) as Record<'name' | 'version', string>;
    const file = readdirSync(resolve(root, folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
    const text = file === undefined ? '' : read(file).trim();
    if (!/copyright/i.test(text))
      throw new Error(`${name} has no licence with a holder that could go with its code`);
    return `${name} ${version}\n\n${text}`;
  });
  return `${[head, ...licences].join('\n\n\n')}\n`;
}
