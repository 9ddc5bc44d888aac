// The notices that the licences of bundled packages require in every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './bundle.ts';

/** Folders of the packages whose code esbuild has put into a bundle. */
export function bundledPackages({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => {
    // The `node_modules` folder may be elsewhere, and may be linked.
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
    return folder !== undefined && bytesInOutput > 0 ? [folder] : [];
  });
  return [...new Set(folders)].sort();
}

/**
 * Returns the licences of the packages in these folders, below the line `head`. Throws for a package without a licence
 * file.
 */
export function notices(folders: readonly string[], head: string): string {
  const licences = folders.map((folder) => {
    const read = (file: string): string => readFileSync(join(root, folder, file), 'utf8');
    const { name, version } = JSON.parse(read('package.json')) as {
      readonly name: string;
      readonly version: string;
    };
    const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
    const text = file === undefined ? '' : read(file).trim();
    if (!/copyright/i.test(text))
      throw new Error(`${name} has no licence with a holder that could go with its code`);
    return `${name} ${version}\n\n${text}`;
  });
  return `${[head, ...licences].join('\n\n\n')}\n`;
}
