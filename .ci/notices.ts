// The notices that the licences of bundled packages ask for in every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './bundle.ts';

/** Stands for the terms of our own licence. */
const SAME = 'The permission and the disclaimer of LICENSE are those of the packages above, word for word.';
const TITLE = /^\s*(the )?mit license( \(mit\))?\s*\n/i;

/** Folders of the packages whose code esbuild has put into a bundle. */
export function bundledPackages({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => {
    // The folder may lie elsewhere, and be linked to.
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
    return folder !== undefined && bytesInOutput > 0 ? [folder] : [];
  });
  return [...new Set(folders)].sort();
}

/**
 * The text for the packages in these folders, below a line that says what is with them: each licence once, under the
 * names of those that it is of. Throws for a package without one.
 */
export function notices(folders: readonly string[], head: string): string {
  // The terms of most are those of our own licence, which goes with it.
  const own = termsOf(readFileSync(join(root, 'LICENSE'), 'utf8')).text;
  const groups = new Map<string, string[]>();
  for (const folder of folders) {
    const manifest = readFileSync(join(root, folder, 'package.json'), 'utf8');
    const { name, version } = JSON.parse(manifest) as { readonly name: string; readonly version: string };
    const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
    if (file === undefined) throw new Error(`${name} has no licence file that could go with its code`);
    const { holders, text } = termsOf(readFileSync(join(root, folder, file), 'utf8'));
    if (holders === '' || text === '') throw new Error(`${name}: ${file} names no holder or no terms`);
    const key = text === own ? SAME : text;
    groups.set(key, [...(groups.get(key) ?? []), `${name} ${version}\n${holders}`]);
  }
  return `${[head, ...[...groups].flatMap(([text, who]) => [...who, text])].join('\n\n')}\n`;
}

/** Who holds the rights, and what they allow, without line breaks of its own. */
function termsOf(licence: string): { readonly holders: string; readonly text: string } {
  const paragraphs = licence
    .replace(TITLE, '')
    .split(/\r?\n\s*\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const holds = (one: string): boolean => /^copyright\b/i.test(one);
  return {
    holders: paragraphs.filter(holds).join('\n'),
    text: paragraphs
      .filter((one) => !holds(one))
      .map((one) => one.replaceAll(/\s+/g, ' '))
      .join('\n\n'),
  };
}
