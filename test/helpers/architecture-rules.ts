import { posix } from 'node:path';
import {
  APART,
  LAZY,
  LOADERS,
  MAX_LINES,
  PACKAGES,
  PROCESS,
  PURE,
  partOf,
  SEES,
  within,
} from './architecture.ts';
import { type ImportedModule, importsOf, linesMatching } from './source-text.ts';

/** Everything that a source file does against the rules, one line each; `file` is its path from the root. */
export function violations(file: string, text: string): string[] {
  const part = partOf(file);
  if (part === undefined) return [`${file}: belongs to no known part of the tree`];
  const found = importsOf(text).flatMap((imported) => {
    const fault = importFault(file, part, imported);
    return fault === undefined ? [] : [`${file}:${imported.line}: ${fault}`];
  });
  const forbid = (pattern: RegExp, what: string): void => {
    for (const line of linesMatching(text, pattern)) found.push(`${file}:${line}: ${what}`);
  };
  if (PURE.includes(part)) {
    forbid(/(?<![.\w$])process\b/, `${part} knows no process`);
    forbid(/(?<![.\w$])Buffer\b/, `${part} uses Uint8Array, not Buffer`);
  } else if (!mayReadProcess(file, part)) {
    forbid(
      /(?<![.\w$])process\s*\??\.\s*(?:env|argv|on|once|off|addListener|prependListener)\b|\}\s*=\s*process\s*;/,
      `${part} does not read the environment or answer signals`,
    );
  }
  forbid(/\bURL\.canParse\b/, 'asks parseUrl: Node 20 compiles URL.canParse wrongly');
  // The SDK has the same names for Node and for pages.
  if (!/^src\/sdk\/(?:index|page)\.ts$/.test(file))
    forbid(/\bexport\s*\*/, 'names what it exports one by one');
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES) found.push(`${file}: has ${lines} lines, at most ${MAX_LINES} are allowed`);
  return found;
}

function mayReadProcess(file: string, part: string): boolean {
  return PROCESS.includes(part) || PROCESS.includes(file);
}

function importFault(file: string, part: string, imported: ImportedModule): string | undefined {
  const { specifier, kind } = imported;
  if (kind === 'opaque') {
    return LOADERS.includes(file) ? undefined : 'loads a module that cannot be known from the source';
  }
  if (specifier.startsWith('.')) {
    const target = posix.normalize(posix.join(posix.dirname(file), specifier));
    if (!sees(part, target)) return `${part} must not import ${target}`;
    if (part === 'src/cli' && kind === 'static' && LAZY.test(target) && !LAZY.test(file)) {
      return `${target} must be loaded by import(): it may be missing`;
    }
    return undefined;
  }
  if (specifier.startsWith('node:')) {
    if (PURE.includes(part)) return `${part} must not import ${specifier}`;
    if (specifier === 'node:process' && !mayReadProcess(file, part))
      return `${part} must not import ${specifier}`;
    return undefined;
  }
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const places = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : undefined;
  const inPlace = (place: string): boolean => place === part || place === file;
  if (places?.in.some(inPlace)) return undefined;
  if (kind === 'type' && places?.types?.some(inPlace)) return undefined;
  return `${part} must not use the package ${name}${places?.types?.some(inPlace) ? ' but for types' : ''}`;
}

/** `src` in a list means every part of it; any other entry means that part alone, or that file. */
function sees(part: string, target: string): boolean {
  const targetPart = partOf(target);
  if (targetPart === part) return true;
  if (targetPart === 'src/base' && !APART.includes(part)) return true;
  const seen = SEES[part] ?? [];
  return seen.some(
    (entry) => entry === targetPart || entry === target || (entry === 'src' && within(target, 'src')),
  );
}
