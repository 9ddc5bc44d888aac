// Bundles the declarations that the package publishes: one file an entry, which names no other package, and holds only
// what the entry's exports reach.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The entries that are ES modules only. `shared` names the sources whose declarations another file holds already;
 * the rest of a file's needs is in it.
 */
const MODULES = {
  core: { entry: 'src/core/entry.ts', shared: { 'src/client/index.ts': './client/index.mjs' } },
  server: { entry: 'src/server/entry.ts', shared: { 'src/core/core.ts': './core.js' } },
  testing: { entry: 'src/cli/testing.ts', shared: {} },
  attach: { entry: 'src/attach/attach.ts', shared: {} },
};

/** Sources that are declared in another way than they are written. */
const DECLARED = { 'src/protocol/registry.ts': '.ci/declared-registry.ts' };

/** Writes `<out>/<entry>.d.cts` and `.d.mts`: every declaration the entry needs in one file, only its own exported. */
export function bundleTypes(root, { entries, shared, documented }, out) {
  emitted(root, Object.values(entries), (folder) => {
    mkdirSync(out, { recursive: true });
    for (const [name, entry] of Object.entries(entries)) {
      writeFileSync(join(out, `${name}.d.cts`), flatten(folder, entry, shared[name] ?? {}, documented));
      writeFileSync(join(out, `${name}.d.mts`), `export * from './${name}.cjs';\n`);
    }
  });
}

/** Writes `<out>/<entry>.d.ts` for what the package offers beside its libraries. */
export function bundleModuleTypes(root, out) {
  const sources = Object.values(MODULES).map(({ entry }) => entry);
  emitted(root, [...sources, ...Object.values(DECLARED)], (folder) => {
    for (const [name, { entry, shared }] of Object.entries(MODULES)) {
      writeFileSync(join(out, `${name}.d.ts`), flatten(folder, entry, shared, 'all'));
    }
  });
}

/** What a declaration statement declares, at the start of its line. */
const DECLARATION = /^(?:declare )?(?:abstract )?(?:class|function|const|interface|type) (\w+)/;

/**
 * Marks what is exported where it is declared, which packs smaller than a list of names; the list at the end holds what
 * is declared elsewhere, and keeps the rest private even when it is empty. What no export reaches is dropped.
 */
function exporting(text, exported) {
  const open = new Set(exported.map((name) => name.replace(/^type /, '')));
  const statements = statementsOf(text);
  const reached = new Set(open);
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { name, code } of statements) {
      if (name !== undefined && !reached.has(name)) continue;
      for (const [word] of code.matchAll(/[\w$]+/g)) reached.add(word);
    }
  }
  const declared = new Set();
  const kept = statements
    .filter(({ name }) => name === undefined || reached.has(name))
    .map(({ name, comment, code }) => {
      if (name === undefined || !open.has(name)) return comment + code;
      declared.add(name);
      return `${comment}export ${code}`;
    });
  const others = exported.filter((name) => !declared.has(name.replace(/^type /, '')));
  return `${kept.join('')}export { ${others.join(', ')} };\n`.replace('{  }', '{}');
}

/** The statements of a declaration file, each with the comment in front of it; an import has no name. */
function statementsOf(text) {
  const parts = text.split(
    /^(?=\/\*\*|import |(?:declare )?(?:abstract )?(?:class|function|const|interface|type) \w)/m,
  );
  const statements = [];
  let comment = '';
  for (const part of parts) {
    if (part.startsWith('/**')) comment = part;
    else {
      statements.push({ name: DECLARATION.exec(part)?.[1], comment, code: part });
      comment = '';
    }
  }
  return statements;
}

/** Hands over a folder with the declarations of the sources and of all that these import. */
function emitted(root, files, use) {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-types-'));
  try {
    emitDeclarations(root, files, folder);
    use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function emitDeclarations(root, files, out) {
  const config = join(out, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    rootDir: root,
    outDir: out,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions,
    files: files.map((file) => join(root, file)),
  };
  writeFileSync(config, JSON.stringify({ ...settings, include: [] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', config], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The declarations could not be written');
}

const IMPORT = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)';\n/gm;

/** Puts the declarations of a module and of all it imports into one text, imported ones first. */
function flatten(folder, entry, shared, documented) {
  const done = new Set();
  const imports = new Map();
  const parts = [];
  const exported = [];
  const visit = (file, isEntry) => {
    if (done.has(file)) return;
    done.add(file);
    const text = readFileSync(join(folder, file.replace(/\.ts$/, '.d.ts')), 'utf8');
    const own = text.replaceAll(IMPORT, (statement, list, from) => {
      if (!from.startsWith('.')) throw new Error(`${file}: a declaration names the package ${from}`);
      const imported = join(dirname(file), from);
      const source = DECLARED[imported] ?? imported;
      if (shared[source]) {
        imports.set(shared[source], new Set([...(imports.get(shared[source]) ?? []), ...names(list)]));
        return '';
      }
      if (/\sas\s/.test(list)) throw new Error(`${file}: an imported name is changed: ${list}`);
      visit(source, false);
      if (isEntry && statement.startsWith('export')) {
        const type = /^export\s+type/.test(statement) ? 'type ' : '';
        for (const name of names(list)) exported.push(name.startsWith('type ') ? name : type + name);
      }
      return '';
    });
    if (/^import\b|\bimport\(/m.test(own)) throw new Error(`${file}: an import could not be resolved`);
    if (isEntry) {
      const statements = [
        ...own.matchAll(/^export (?:declare )?(?:(class|function|const)|interface|type) (\w+)/gm),
      ];
      for (const [, value, name] of statements) exported.push(value ? name : `type ${name}`);
    }
    const bare = own.replaceAll(/^export (\{\};\n)?/gm, '');
    parts.push(documented === 'all' ? bare : shorten(bare, documented.includes(file)));
  };
  visit(entry, true);
  const text = compact(parts.join(''));
  // A constant and a type may share a name: the SDK's enumerations do.
  const declared = [
    ...text.matchAll(/^(?:declare )?(?:abstract )?(class|function|const|interface|type) (\w+)/gm),
  ].flatMap(([, kind, name]) => (kind === 'class' ? [`const ${name}`, `type ${name}`] : `${kind} ${name}`));
  const twice = declared.find((name, i) => declared.indexOf(name) !== i);
  if (twice) throw new Error(`${entry}: two declarations of ${twice}`);
  const imported = [...imports].map(
    ([from, list]) => `import { ${[...list].map(asType).join(', ')} } from '${from}';\n`,
  );
  return exporting(imported.join('') + text, [...new Set(exported)]);
}

function asType(name) {
  return `type ${name.replace(/^type /, '')}`;
}

/** Keeps the first sentence of every comment, or none. */
function shorten(text, documented) {
  return text.replaceAll(/^( *)\/\*\*((?:(?!\*\/).)*)\*\/(\n| )/gms, (_all, indent, comment, end) => {
    const sentence = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim();
    const [first] = sentence.split(/(?<=\.) |; /);
    if (documented && indent !== '' && end === '\n') return `${indent}/** ${first} */\n`;
    // A comment on the line of its member leaves the member's indent.
    return end === '\n' ? '' : indent;
  });
}

/** The compiler writes one member a line however deep; only the first level is worth a line of its own. */
function compact(text) {
  return text
    .replaceAll(/\n {8,}/g, ' ')
    .replaceAll(/\n {4}(?=\})/g, ' ')
    .replaceAll(/; \}/g, ' }')
    .replaceAll(/^ {4}/gm, ' ');
}

function names(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
