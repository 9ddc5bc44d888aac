// Writes the declarations that the package publishes: those of the entries and of everything they name, as the compiler
// writes them, with docstrings. They refer to no other package.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Entries, root } from './bundle.ts';
import { inFolder, write } from './staging.ts';

/** Sources whose declarations come from another file. */
const DECLARED: Entries = { 'src/protocol/registry.ts': '.ci/declared-registry.ts' };

/** Returns entries by the names of their declarations, which end with each of these. */
export function declared(entries: Entries, ...ends: readonly string[]): Entries {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, source]) => ends.map((end) => [`${name}.${end}`, source])),
  );
}

/**
 * Writes the declarations of the sources into `<out>/types`, and for each entry a file `<out>/<name>` that exports what
 * its source exports. They are written as CommonJS, which modules of both kinds may import. Throws when a declaration
 * refers to a package.
 */
export async function writeDeclarations(out: string, entries: Entries): Promise<void> {
  await inFolder(async (folder) => {
    await emit(folder, [...new Set(Object.values(entries)), ...Object.values(DECLARED)]);
    const todo = new Set(Object.values(entries));
    // The loop also visits elements that are added to the set during the loop.
    for (const source of todo) {
      const text = readFileSync(join(folder, (DECLARED[source] ?? source).replace(/\.ts$/, '.d.ts')), 'utf8');
      write(join(out, 'types', source.replace(/\.ts$/, '.d.cts')), published(source, text, todo));
    }
    for (const [name, source] of Object.entries(entries)) {
      const from = specifierFrom(name, join('types', source));
      write(join(out, name), `export * from '${from}';\n`);
    }
  });
}

/** Returns a declaration with its imports renamed for the package; adds the imported files to `todo`. */
function published(source: string, text: string, todo: Set<string>): string {
  // Only code between comments is changed, because a docstring may contain an example of an import.
  return text
    .split(/(\/\*.*?\*\/)/s)
    .map((part, i) => {
      if (i % 2 === 1) return part;
      // The pattern also matches double quotes, which the compiler writes for a type that the source does not import.
      return part.replaceAll(
        /(\bfrom |\bimport\()['"]([^'"]+)['"]/g,
        (_all, before: string, specifier: string) => {
          if (!specifier.startsWith('.')) throw new Error(`${source}: a declaration names ${specifier}`);
          const imported = posix.join(posix.dirname(DECLARED[source] ?? source), specifier);
          todo.add(imported);
          return `${before}'${specifierFrom(source, imported)}'`;
        },
      );
    })
    .join('');
}

function specifierFrom(file: string, imported: string): string {
  const path = posix.relative(posix.dirname(file), imported.replace(/\.ts$/, '.cjs'));
  return path.startsWith('.') ? path : `./${path}`;
}

async function emit(out: string, sources: readonly string[]): Promise<void> {
  const config = join(out, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    emitDeclarationOnly: true,
    declaration: true,
    rootDir: root,
    outDir: out,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = sources.map((file) => join(root, file));
  const content = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
  write(config, JSON.stringify(content));
  const argv = [join(root, 'node_modules/typescript/bin/tsc'), '-p', config];
  const tsc = spawn(process.execPath, argv, { stdio: ['ignore', 2, 2] });
  const [code] = (await once(tsc, 'close')) as [number | null];
  if (code !== 0) throw new Error('The declarations could not be written');
}
