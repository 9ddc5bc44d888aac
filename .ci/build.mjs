// Bundles dist/: the program, and a file for each public entry beside it.
// --types: the public .d.ts files too. --release: as for a user, not for a checkout. --out DIR: somewhere else.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { bundleModuleTypes, bundleTypes } from './declarations.mjs';
import { lean } from './lean.mjs';
import { bundleLibrary, libraries } from './library.mjs';
import { bundledPackages, notices } from './notices.mjs';
import { shorter } from './shorter.mjs';
import { warm } from './warm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values: flags } = parseArgs({
  options: { types: { type: 'boolean' }, release: { type: 'boolean' }, out: { type: 'string' } },
});
const out = resolve(flags.out ?? join(root, 'dist'));
const fresh = `${out}.${process.pid}`;

/** What the program imports when it runs. */
const LAZY_MODULES = ['node-ipc', 'the conformance suite', 'the same as a package', "a core's module"];

const common = {
  absWorkingDir: root,
  outdir: fresh,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  define: {
    __FOOTBRIDGE_VERSION__: JSON.stringify(version),
    __FOOTBRIDGE_RELEASE__: String(flags.release ?? !existsSync(join(root, '.git'))),
  },
  logLevel: 'warning',
};

// The program is one CommonJS file: the only form whose compiled code V8 lets a program keep (src/cli/boot), and what
// is imported lazily in it runs only when it is needed. The suite, which shares nothing with it, is a file of its own.
const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: { program: 'src/cli/bundle.ts' },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // koffi finds its native library beside its own package; node-ipc is the user's to install.
  external: ['koffi', 'node-ipc'],
  define: { ...common.define, 'import.meta.url': '$url' },
  banner: { js: "const $url=require('node:url').pathToFileURL(__filename).href;" },
  plugins: [apart('conformance', /\/conformance\/run\.ts$/), lean],
});
const programFile = join(fresh, 'program.cjs');
const bundled = readFileSync(programFile, 'utf8');
// It takes seconds, which a checkout's build does not.
const program = asFunction(bundled);
const programText = asScript(flags.release ? await shorterFunction(program) : program);
writeFileSync(programFile, programText);
const head = 'Footbridge, whose own licence is in LICENSE, holds code of these packages.';
writeFileSync(join(fresh, 'THIRD-PARTY.txt'), notices(root, bundledPackages(metafile), head));
await build({ ...common, entryPoints: { conformance: 'src/conformance/run.ts' } });
await build({
  ...common,
  entryPoints: { footbridge: 'src/cli/boot/footbridge.ts', warm: 'src/cli/boot/warm.ts' },
  define: { __FOOTBRIDGE_BUNDLE__: JSON.stringify(digestOf(programText)) },
});
await facades({
  testing: 'src/cli/testing.ts',
  core: 'src/core/entry.ts',
  server: 'src/server/entry.ts',
});
for (const [name, library] of Object.entries(libraries)) {
  await bundleLibrary(root, library, join(fresh, name), common.define);
}
// For browsers: one file, nothing of ours or Node's around it.
await build({
  ...common,
  entryPoints: { attach: 'src/attach/attach.ts' },
  platform: 'neutral',
  target: 'es2022',
});
const schema = JSON.parse(readFileSync(join(root, 'src/attach/schema.json'), 'utf8'));
writeFileSync(join(fresh, 'attach.schema.json'), JSON.stringify(schema));
// In one step, so that a command started meanwhile never sees half a folder.
rmSync(out, { recursive: true, force: true });
renameSync(fresh, out);
if (flags.out === undefined) warm(out);

if (flags.types) {
  for (const [name, library] of Object.entries(libraries)) bundleTypes(root, library, join(out, name));
  bundleModuleTypes(root, out);
}

/** What matches is not bundled but imported from a file beside the program. */
function apart(name, filter) {
  return {
    name: `${name}-apart`,
    setup({ onResolve }) {
      onResolve({ filter }, () => ({ path: `./${name}.js`, external: true }));
    },
  };
}

/**
 * As a script, the program is a function that its loader calls (src/cli/boot/load.ts): V8 keeps the code of a script
 * only, and one has no import() of its own. Imported as a module, it calls itself.
 */
function asScript(program) {
  const head =
    '(f=>typeof module==="undefined"?f:f(exports,require,module,__filename,__dirname,(name)=>import(name)))';
  return `${head}(${program})`;
}

/** The program as a function of what a CommonJS module is given, and of what imports lazily. */
function asFunction(text) {
  const parts = text.split(/\bimport\(/);
  if (parts.length - 1 !== LAZY_MODULES.length) {
    throw new Error(
      `The program imports ${parts.length - 1} modules at run time, not ${LAZY_MODULES.join(', ')}`,
    );
  }
  return `function(exports,require,module,__filename,__dirname,$import){'use strict';${parts.join('$import(')}\n}`;
}

/** Its parameters too get short names, and it is not dropped: as something's argument. */
async function shorterFunction(text) {
  const call = await shorter(`keep(${text})`);
  return call.slice('keep('.length, call.lastIndexOf(')'));
}

function digestOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Public entries whose code is in the program: one copy, also when a program loads both. */
async function facades(entryPoints) {
  const { metafile } = await build({
    ...common,
    entryPoints,
    packages: 'external',
    metafile: true,
    write: false,
  });
  for (const { entryPoint, exports } of Object.values(metafile.outputs)) {
    const [name] = Object.entries(entryPoints).find(([, source]) => source === entryPoint);
    // As a whole: the marks by which Node finds the names in a CommonJS module do not outlive the second minifier.
    const text = `import m from"./program.cjs";export const{${exports.join(',')}}=m;\n`;
    writeFileSync(join(fresh, `${name}.js`), text);
  }
}
