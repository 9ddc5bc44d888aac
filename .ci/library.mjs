// Bundles the parts that programs import: CommonJS is the code, ES modules re-export it, so that a program that
// loads both has one copy. The types are bundled too: no published declaration names another package.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** Members that never leave the client's bundle, and so need no long name there. */
const INTERNAL_MEMBERS = [
  'HANDSHAKE FRAME CLOSE PING PONG NORMAL UNSUPPORTED ABNORMAL INVALID_CLIENT_ID INVALID_ORIGIN RATE_LIMITED',
  'TOKEN_REVOKED INVALID_VERSION INVALID_ENCODING pendingBytes frames append detail opcode bytes body',
  'link key authenticated handler prepare searched answer ended dispatch gone ready fail tell list emit kind',
  'arm disarm take sleep need onEnd trying owner lost most begin hold patienceMs application',
].flatMap((line) => line.split(' '));

/** The libraries of the package: a folder of dist/ each, and its entries by file name. */
export const libraries = {
  client: {
    entries: { index: 'src/client/index.ts', oauth2: 'src/client/oauth2.ts' },
    mangled: { index: INTERNAL_MEMBERS },
    // Whose declarations another entry of the library holds already.
    shared: { oauth2: { 'src/client/client.ts': './index' } },
    // Whose members keep their documentation, one sentence each: the rest is in the README.
    documented: ['src/client/client.ts', 'src/client/options.ts', 'src/client/oauth2.ts'],
  },
  sdk: {
    entries: { index: 'src/sdk/index.ts' },
    mangled: {},
    shared: { index: { 'src/client/index.ts': '../client/index' } },
    documented: 'all',
    // Error messages name the class.
    keepNames: true,
  },
};

/** Writes `<out>/<entry>.cjs`, which is the code, and `.mjs`, which exports the same by way of `.esm.cjs`. */
export async function bundleLibrary(root, { entries, mangled, keepNames = false }, out, define = {}) {
  mkdirSync(out, { recursive: true });
  for (const [name, entry] of Object.entries(entries)) {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      minify: true,
      // Node prints the whole line of an error that nobody catches.
      lineLimit: 1000,
      legalComments: 'none',
      write: false,
      logLevel: 'warning',
      define,
      keepNames,
      // It would be written as a string, because other versions of Node know other characters.
      supported: { 'regexp-unicode-property-escapes': true },
      ...(mangled[name] ? { mangleProps: new RegExp(`^(${mangled[name].join('|')})$`) } : {}),
    });
    const { code, names } = toCommonJs(outputFiles[0].text);
    writeFileSync(join(out, `${name}.cjs`), code);
    const exported = names.join(',');
    // Node reads all of a CommonJS module that is imported for the names it may export: 4 ms for the client. It finds
    // none in this one, and does not look into what that requires.
    writeFileSync(join(out, `${name}.esm.cjs`), `const m=require("./${name}.cjs");module.exports=m;\n`);
    writeFileSync(
      join(out, `${name}.mjs`),
      `import m from"./${name}.esm.cjs";export const{${exported}}=m;\n`,
    );
  }
}

/** esbuild's own CommonJS wrapper is 600 bytes larger than what follows here from its ES module output. */
function toCommonJs(esm) {
  const names = [];
  const imports = new Map();
  const rest = esm.replaceAll(/import\{([^}]*)\}from"(node:[^"]+)";/g, (_all, list, from) => {
    imports.set(from, [...(imports.get(from) ?? []), list.replaceAll(' as ', ':')]);
    return '';
  });
  const required = [...imports].map(([from, lists]) => `{${lists.join(',')}}=require("${from}")`);
  const code = (required.length === 0 ? rest : `const ${required.join(',')};${rest}`).replace(
    /export\{([^}]*)\};\s*$/,
    (_all, list) => {
      const members = list.split(',').map((member) => {
        const [local, name = local] = member.split(' as ');
        names.push(name);
        return `${name}:${local}`;
      });
      return `module.exports={${members.join(',')}};\n`;
    },
  );
  if (names.length === 0 || /(^|;)(import|export)[ {*"]/.test(code)) {
    throw new Error('The bundle holds an import or export that could not be turned into CommonJS');
  }
  return { code: `"use strict";${code}`, names };
}

/** Writes `<out>/<entry>.d.cts` and `.d.mts`: every declaration the entry needs in one file, only its own exported. */
export function bundleTypes(root, { entries, shared, documented }, out) {
  const emitted = mkdtempSync(join(tmpdir(), 'footbridge-types-'));
  try {
    emitDeclarations(root, Object.values(entries), emitted);
    mkdirSync(out, { recursive: true });
    for (const [name, entry] of Object.entries(entries)) {
      const { text, exported } = flatten(emitted, entry, shared[name] ?? {}, documented);
      writeFileSync(join(out, `${name}.d.cts`), exporting(text, exported));
      writeFileSync(join(out, `${name}.d.mts`), `export * from './${name}.cjs';\n`);
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/**
 * Marks what is exported where it is declared, which packs smaller than a list of names; the list at the end holds what
 * is declared elsewhere, and keeps the rest private even when it is empty. A function that is not exported is dropped.
 */
function exporting(text, exported) {
  const open = new Set(exported.map((name) => name.replace(/^type /, '')));
  const declared = new Set();
  const marked = text
    .replaceAll(/^declare function (\w+).*\n/gm, (all, name) => (open.has(name) ? all : ''))
    .replaceAll(/^(?:declare )?(?:class|function|const|interface|type) (\w+)/gm, (all, name) => {
      if (!open.has(name)) return all;
      declared.add(name);
      return `export ${all}`;
    });
  const others = exported.filter((name) => !declared.has(name.replace(/^type /, '')));
  return `${marked}export { ${others.join(', ')} };\n`.replace('{  }', '{}');
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

/** Writes the declarations of the entries and of what these name, in the folders of their sources. */
export function copyTypes(root, entries, out) {
  const emitted = mkdtempSync(join(tmpdir(), 'footbridge-types-'));
  try {
    emitDeclarations(root, entries, emitted);
    const done = new Set();
    const visit = (file) => {
      if (done.has(file)) return;
      done.add(file);
      const path = file.replace(/\.ts$/, '.d.ts');
      const text = readFileSync(join(emitted, path), 'utf8');
      mkdirSync(dirname(join(out, path)), { recursive: true });
      writeFileSync(join(out, path), text);
      for (const [, from] of text.matchAll(/(?:\bfrom |\bimport\(|^import )['"](\.[^'"]+)['"]/gm)) {
        visit(join(dirname(file), from));
      }
    };
    for (const entry of entries) visit(entry);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

const IMPORT = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)';\n/gm;

/** Puts the declarations of a module and of all it imports into one text, imported ones first. */
function flatten(emitted, entry, shared, documented) {
  const done = new Set();
  const imports = new Map();
  const parts = [];
  const exported = [];
  const visit = (file, isEntry) => {
    if (done.has(file)) return;
    done.add(file);
    const text = readFileSync(join(emitted, file.replace(/\.ts$/, '.d.ts')), 'utf8');
    const own = text.replaceAll(IMPORT, (statement, list, from) => {
      if (!from.startsWith('.')) throw new Error(`${file}: a declaration names the package ${from}`);
      const source = join(dirname(file), from);
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
  const declared = [...text.matchAll(/^(?:declare )?(class|function|const|interface|type) (\w+)/gm)].flatMap(
    ([, kind, name]) => (kind === 'class' ? [`const ${name}`, `type ${name}`] : `${kind} ${name}`),
  );
  const twice = declared.find((name, i) => declared.indexOf(name) !== i);
  if (twice) throw new Error(`${entry}: two declarations of ${twice}`);
  const imported = [...imports].map(
    ([from, list]) => `import { ${[...list].map(asType).join(', ')} } from '${from}.cjs';\n`,
  );
  return { text: imported.join('') + text, exported: [...new Set(exported)] };
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
