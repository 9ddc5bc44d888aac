// The notices that the licences of bundled packages ask for in every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeftOut } from './lean.mjs';

const TITLE = /^(the )?mit license( \(mit\))?$/i;

/** Folders of the packages, below `root`, whose code esbuild has put into a bundle. */
export function bundledPackages({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => {
    // The folder may lie elsewhere, and be linked to.
    const [, folder, name, file] = /^((?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+))\/(.*)$/.exec(path) ?? [];
    return file !== undefined && bytesInOutput > 0 && !isLeftOut(`${name}/${file}`) ? [folder] : [];
  });
  return [...new Set(folders)].sort();
}

/**
 * The text for the packages in these folders, below a line that says what is with them: each licence once, under the
 * names of those that it is of.
 */
export function notices(root, folders, head) {
  const groups = new Map();
  for (const folder of folders) {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
    if (file === undefined) throw new Error(`${name} has no licence file that could go with its code`);
    const paragraphs = readFileSync(join(root, folder, file), 'utf8')
      .trim()
      .split(/\r?\n\s*\n/);
    const held = paragraphs.filter((one) => /^copyright\b/i.test(one.trim()));
    const text = paragraphs
      .filter((one) => !held.includes(one) && !TITLE.test(one.trim()))
      .map((one) => one.trim().replaceAll(/\s+/g, ' '));
    if (held.length === 0 || text.length === 0)
      throw new Error(`${name}: ${file} names no holder or no terms`);
    const key = text.join('\n\n');
    const who = [`${name} ${version}`, ...held.map((one) => one.trim())].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), who]);
  }
  return `${[head, ...[...groups].flatMap(([text, who]) => [...who, text])].join('\n\n')}\n`;
}
