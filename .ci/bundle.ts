// The one esbuild configuration, and what is made with it. Names stay whole and lines stay lines, so that a person can read
// a stack trace; every package is taken as it is.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { lowestOf, refuseOldNode, throwInOldNode } from './old-node.mjs';

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};
/** The version of all that is made here. */
export const version = manifest.version;

const common = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  platform: 'node',
  target: ['node20.19', 'es2022'],
  legalComments: 'none',
  // koffi's native part is found beside its own package; node-ipc is the user's to install.
  external: ['koffi', 'node-ipc'],
  define: { __FOOTBRIDGE_VERSION__: JSON.stringify(version), __FOOTBRIDGE_RELEASE__: 'true' },
  // Otherwise it would become a string, because other versions of Node know other characters.
  supported: { 'regexp-unicode-property-escapes': true },
  logLevel: 'warning',
} satisfies BuildOptions;

const modules = { ...common, format: 'esm', splitting: true, chunkNames: '[name]-[hash]' } as const;

/** The program's entry. */
export const PROGRAM = { footbridge: 'src/cli/main.ts' } as const;
/** What the package offers of a bridge: one copy, also where a program loads several. */
const PARTS = {
  server: 'src/server/entry.ts',
  core: 'bridge:src/core/entry.ts',
  testing: 'bridge:src/testing/testing.ts',
  'testing-vitest': 'bridge:src/testing/vitest.ts',
};

/**
 * What packages that are CommonJS ask for modules of Node with. A `require` of Node would also look for packages that they
 * can do without in every folder above, where anybody may have put one; and making it costs each file of a start its part.
 */
const REQUIRE = `const require = (name) => {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(\`Cannot find module '\${name}'\`);
  return found;
};`;

const NODE_NEEDED = JSON.stringify(lowestOf(manifest.engines.node));
/** First statement of a program: an old Node is told in one line, before it meets what it does not know. */
const NODE_CHECK = `(${refuseOldNode.toString()})(${NODE_NEEDED});`;
/** First statement of each file of a library, whichever of them is evaluated first. */
const LIBRARY_CHECK = `(${throwInOldNode.toString()})(${NODE_NEEDED});`;

/**
 * ES modules of the program into `out`, with the suite beside them. Resolves with what is in them. A bridge and the other
 * commands have each their own copy of what both need: what they shared would lie in files of its own, and for each import of
 * one in another Node resolves a path anew. Of thirty such, its own loop over paths becomes so hot that it is compiled for
 * speed, which costs a start 8 ms of processor time and the process 4 MB for as long as it lives.
 */
export async function bundleProgram(
  out: string,
  parts: Readonly<Record<string, string>> = PARTS,
): Promise<Metafile> {
  await bundleConformance(join(out, 'conformance'), { index: 'src/conformance/run.ts' });
  const bundle = (
    entryPoints: Readonly<Record<string, string>>,
    plugins: Plugin[],
    banner = `${LIBRARY_CHECK}\n${REQUIRE}`,
  ): Promise<Metafile> =>
    made({
      ...modules,
      entryPoints,
      outdir: out,
      plugins: [suiteBeside, ...plugins, builtinModules],
      banner: { js: banner },
    });
  const bundles = await Promise.all([
    bundlePage(join(out, 'console')),
    bundle({ bridge: BRIDGE, ...parts }, [withBridge]),
    bundle({ 'command-line': 'src/cli/command-line.ts' }, [bridgeBeside]),
    bundle(PROGRAM, [bridgeBeside, commandLineBeside], `${NODE_CHECK}\n${REQUIRE}`),
  ]);
  return together(bundles);
}

/** The files of the console's page. */
export const PAGE_FILES = ['index.html', 'app.js', 'app.css', 'icon.svg'] as const;

/** The page of the console: as small as it gets, because a person waits for it. Resolves with what is in it. */
export async function bundlePage(out: string): Promise<Metafile> {
  const from = join(root, 'src/console/page');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: join(from, 'app.ts'), out: 'app' },
      { in: join(from, 'app.css'), out: 'app' },
    ],
    outdir: out,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const name of ['index.html', 'icon.svg']) cpSync(join(from, name), join(out, name));
  return metafile;
}

/** What is in several bundles. */
export function together(bundles: readonly Metafile[]): Metafile {
  return {
    inputs: Object.assign({}, ...bundles.map(({ inputs }) => inputs)) as Metafile['inputs'],
    outputs: Object.assign({}, ...bundles.map(({ outputs }) => outputs)) as Metafile['outputs'],
  };
}

/** The conformance suite, which shares nothing with the rest. */
export function bundleConformance(
  out: string,
  entryPoints: Readonly<Record<string, string>>,
): Promise<Metafile> {
  return made({ ...modules, entryPoints, outdir: out, banner: { js: NODE_CHECK } });
}

/** For a page: one file without Node. */
export function bundleAttach(out: string): Promise<Metafile> {
  cpSync(join(root, 'src/attach/schema.json'), join(out, 'attach.schema.json'));
  return made({ ...modules, entryPoints: { attach: 'src/attach/attach.ts' }, outdir: out });
}

/** The SDK for a page: one file, in which nothing of Node may stand. Resolves with what is in it. */
export function bundleForPage(outfile: string, format: 'esm' | 'cjs' = 'esm'): Promise<Metafile> {
  return made({
    ...common,
    entryPoints: ['src/sdk/index.ts'],
    outfile,
    format,
    platform: 'browser',
    target: 'es2022',
    plugins: [clientOfPage],
  });
}

/** The client's entries by the name of their file. */
export const CLIENT = { index: 'src/client/index.ts', oauth2: 'src/client/oauth2.ts' } as const;

/** A library as ES modules and as their CommonJS twins. */
export async function bundleLibrary(
  out: string,
  entryPoints: Readonly<Record<string, string>>,
): Promise<void> {
  await made({
    ...modules,
    entryPoints,
    outdir: out,
    outExtension: { '.js': '.mjs' },
    // For the WebSocket of Node 20, which has none of its own.
    banner: { js: `${LIBRARY_CHECK}\n${REQUIRE}` },
  });
  await made({
    ...common,
    entryPoints,
    outdir: out,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    banner: { js: LIBRARY_CHECK },
    plugins: [clientBeside],
  });
}

/** The program as one CommonJS file, as a single executable starts. `plugins` say what is different in it. */
export function bundleExecutable(outfile: string, plugins: Plugin[]): Promise<Metafile> {
  return made({
    ...common,
    entryPoints: [PROGRAM.footbridge],
    outfile,
    format: 'cjs',
    plugins,
    // Where nothing can lie: no file beside the executable is taken for a part of it.
    define: { ...common.define, 'import.meta.url': '"file:///dev/null/footbridge"' },
  });
}

/** To npm the suite is a package of its own, so that it must be found as a file of its own. */
const suiteBeside = elsewhere(/^\.\.\/conformance\/run\.ts$/, './conformance/index.js');
const bridgeBeside = elsewhere(/^(?:\.|\.\.|\.\.\/\.\.)\/bridge(?:-parts)?\.ts$/, './bridge.js');
const commandLineBeside = elsewhere(/^\.\/command-line\.ts$/, './command-line.js');
/** In the SDK: one copy of the client, and of its errors, for a program that uses both. */
const clientBeside = elsewhere(/^\.\.\/client\/(?:index|errors)\.ts$/, '../client/index.cjs');

/** The entry of the SDK names all of it once; in a page its client is that of a page. */
const clientOfPage: Plugin = {
  name: 'page',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^\.\/client\.ts$/ }, ({ importer }) =>
      importer === join(root, 'src/sdk/index.ts')
        ? { path: join(root, 'src/sdk/page-client.ts') }
        : undefined,
    ),
};

/** What every bridge loads. */
const BRIDGE = 'src/cli/bridge.ts';
/** What commands load of it. */
const BRIDGE_PARTS = 'src/cli/bridge-parts.ts';

/**
 * `bridge:FILE` is FILE, and all that a bridge loads: whoever imports it runs in one, or needs most of one. Entries that
 * share only some of a bridge cut it into more files, each of which costs every start. So would what a bridge loads later,
 * by `import()`.
 */
const withBridge: Plugin = {
  name: 'bridge',
  setup(bundler) {
    bundler.onResolve({ filter: /^bridge:/ }, ({ path }) => ({ path: path.slice(7), namespace: 'bridge' }));
    bundler.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = relative(root, join(resolveDir, path));
      return file === BRIDGE || file === BRIDGE_PARTS ? undefined : { path: file, namespace: 'bridge' };
    });
    bundler.onLoad({ filter: /./, namespace: 'bridge' }, ({ path }) => ({
      contents: `import './${BRIDGE}'; export * from './${path}';`,
      resolveDir: root,
    }));
  },
};

/**
 * Modules of Node as `require` has them. To import one reads all that it exports, also what Node only makes when somebody
 * asks for it (Web Crypto, the list of its own options), which takes every start some milliseconds and half a megabyte.
 * Packages that are loaded when they are needed import what they want, so that a start reads no file more.
 */
const builtinModules: Plugin = {
  name: 'builtin',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      /node_modules\/(?!env-paths\/)/.test(importer)
        ? undefined
        : { path, namespace: 'builtin', sideEffects: false },
    );
    bundler.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: [
        LATE.has(path) ? late(path) : found(path),
        // What nobody imports is left out, and so not read.
        ...exportsOf(path).map(
          (name) => `const its_${name} = /* @__PURE__ */ its('${name}'); export { its_${name} as ${name} };`,
        ),
      ].join('\n'),
    }));
  },
};

/**
 * Modules of Node that a start does not need, and that take it some milliseconds each: they are loaded when the first of
 * their functions is called.
 */
const LATE: ReadonlySet<string> = new Set(['node:crypto', 'node:http']);

/** Of a late module the functions: another value could only be read at once. */
function exportsOf(path: string): readonly string[] {
  const exported = Object.getOwnPropertyDescriptors(process.getBuiltinModule(path) ?? {});
  return Object.entries(exported).flatMap(([name, { enumerable, value }]) =>
    enumerable && name !== 'default' && (!LATE.has(path) || typeof value === 'function') ? [name] : [],
  );
}

function found(path: string): string {
  return `const found = process.getBuiltinModule(${JSON.stringify(path)});
    const its = (name) => found[name];
    export default found;`;
}

/** Each function stands for itself in everything, also where `promisify` looks for what it knows of it. */
function late(path: string): string {
  return `const found = () => process.getBuiltinModule(${JSON.stringify(path)});
    const its = (name) => new Proxy(function () {}, {
      get: (_, key) => Reflect.get(found()[name], key),
      apply: (_, self, args) => Reflect.apply(found()[name], self, args),
      construct: (_, args) => Reflect.construct(found()[name], args),
    });`;
}

/** What is imported by that path is not bundled, but found at another one. */
function elsewhere(filter: RegExp, path: string): Plugin {
  return {
    name: path,
    setup: (bundler) => bundler.onResolve({ filter }, () => ({ path, external: true })),
  };
}

async function made(options: BuildOptions & { readonly metafile: true }): Promise<Metafile> {
  const { metafile } = await build(options);
  for (const path of Object.keys(metafile.outputs)) inAscii(join(root, path));
  return metafile;
}

/**
 * A single character beyond Latin-1 makes V8 keep the whole file with two bytes for each. esbuild escapes those of strings,
 * and leaves those of comments and regular expressions, where an escape means the same.
 */
function inAscii(file: string): void {
  const text = readFileSync(file, 'utf8');
  const escaped = text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (escaped !== text) writeFileSync(file, escaped);
}
