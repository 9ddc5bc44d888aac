// The notices that the licences of bundled packages ask for in every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeftOut } from './lean.mjs';

/** Stands for the terms of our own licence. */
const SAME = 'The permission and the disclaimer of LICENSE are those of the packages above, word for word.';
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
  // The terms of most are those of our own licence, which goes with it.
  const own = termsOf(readFileSync(join(root, 'LICENSE'), 'utf8')).text;
  const groups = new Map();
  for (const folder of folders) {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
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
function termsOf(licence) {
  const paragraphs = licence
    .trim()
    .split(/\r?\n\s*\n/)
    .map((one) => one.trim())
    .filter((one) => !TITLE.test(one));
  const holds = (one) => /^copyright\b/i.test(one);
  return {
    holders: paragraphs.filter(holds).join('\n'),
    text: paragraphs
      .filter((one) => !holds(one))
      .map((one) => one.replaceAll(/\s+/g, ' '))
      .join('\n\n'),
  };
}
