// The one esbuild configuration, and the bundles made with it. Names stay whole and lines short enough to be found, so
// that a developer can read a stack trace; every package is bundled unchanged.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BuildOptions,
  build,
  type Metafile,
  type Plugin,
  type TransformOptions,
  transform,
} from 'esbuild';
import { lowestOf, refuseOldNode, throwInOldNode } from './old-node.mjs';

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};
/** The version of all bundles and packages. */
export const version = manifest.version;

const common = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  platform: 'node',
  target: ['node20.19', 'es2022'],
  legalComments: 'none',
  // koffi's native part is found next to its own package; node-ipc is the user's to install.
  external: ['koffi', 'node-ipc'],
  define: { __FOOTBRIDGE_VERSION__: JSON.stringify(version), __FOOTBRIDGE_RELEASE__: 'true' },
  // Otherwise it would become a string, because other versions of Node support other characters.
  supported: { 'regexp-unicode-property-escapes': true },
  logLevel: 'warning',
} satisfies BuildOptions;

/** Without indentation; a line stays short enough to be found, and to be printed next to an error. */
export const LEAN = { minifyWhitespace: true, lineLimit: 400 } as const;

const modules = { ...common, format: 'esm', splitting: true, chunkNames: '[name]-[hash]' } as const;

/** The program's entry. */
export const PROGRAM = { footbridge: 'src/cli/main.ts' } as const;
/** Parts of a bridge that the package exports: one copy, also where a program loads several. */
const PARTS = {
  server: 'src/server/entry.ts',
  core: 'bridge:src/core/entry.ts',
  testing: 'bridge:src/testing/testing.ts',
  'testing-vitest': 'bridge:src/testing/vitest.ts',
};

/**
 * Replacement for `require` in packages that are CommonJS, for modules of Node only. A `require` of Node would also
 * search every folder above for optional packages, where any user may have put one; and making it costs each file of a
 * start its part.
 */
const REQUIRE = `const require = (name) => {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(\`Cannot find module '\${name}'\`);
  return found;
};`;

const NODE_NEEDED = JSON.stringify(lowestOf(manifest.engines.node));
/** First statement of a program: an old Node gets a one-line error, before it meets unknown syntax. */
const NODE_CHECK = `(${refuseOldNode.toString()})(${NODE_NEEDED});`;
/** First statement of each file of a library, whichever of them is evaluated first. */
const LIBRARY_CHECK = `(${throwInOldNode.toString()})(${NODE_NEEDED});`;

/**
 * ES modules of the program into `out`, with the suite next to them. Resolves with their metafile. A bridge and the
 * other commands have each their own copy of common code: shared code would be in files of its own, and for each import
 * of one in another Node resolves a path anew. At thirty such imports, its own loop over paths becomes so hot that it
 * is compiled for speed, which costs a start 8 ms of processor time and the process 4 MB for as long as it lives.
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
      ...LEAN,
      entryPoints,
      outdir: out,
      plugins: [suiteBeside, ...packagesBeside, ...plugins, builtinModules],
      banner: { js: banner },
    });
  const bundles = await Promise.all([
    bundlePage(join(out, 'console')),
    bundlePackages(out),
    bundle({ bridge: BRIDGE, ...parts }, [withBridge]),
    bundle({ 'command-line': 'src/cli/command-line.ts' }, [bridgeBeside]),
    bundle(PROGRAM, [bridgeBeside, commandLineBeside], `${NODE_CHECK}\n${REQUIRE}`),
  ]);
  return together(bundles);
}

/**
 * Packages that several bundles need, with the used names of each: one file has the package, which the bundles import.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'smol-toml': ['parse', 'stringify', 'TomlError'],
  ws: ['WebSocket', 'WebSocketServer'],
  zod: await namesOfZod(),
};

/** Names of zod that any source uses. */
async function namesOfZod(): Promise<readonly string[]> {
  const all = Object.keys(await import('zod'));
  const used = ['src', 'platform', 'service'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8'))
      .flatMap((text) => [...text.matchAll(/\bz\s*\.\s*(\w+)/g)].map(([, name = '']) => name)),
  );
  // Only types of its core are used; as a value it is all of the package.
  return all.filter((name) => used.includes(name) && name !== 'core');
}

const packagesBeside = Object.entries(PACKAGES).map(([name, names]): Plugin => {
  const path = `./${name}.js`;
  return {
    name,
    setup(bundler) {
      bundler.onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind }) =>
        kind === 'dynamic-import' ? { path, external: true } : { path: name, namespace: name },
      );
      // By a source of its own: each source with an external import imports it anew.
      bundler.onResolve({ filter: /./, namespace: name }, () => ({ path, external: true }));
      bundler.onLoad({ filter: /./, namespace: name }, () => ({
        contents: `export { ${names.join()} } from '${path}';`,
      }));
    },
  };
});

/** Each of {@link PACKAGES} in its file. */
async function bundlePackages(out: string): Promise<Metafile> {
  const bundles = Object.entries(PACKAGES).map(([name, names]) => {
    const contents = `export { ${names.join()} } from '${name}';`;
    return made({
      ...modules,
      ...LEAN,
      splitting: false,
      stdin: { contents, resolveDir: root, sourcefile: `${name}.js` },
      outfile: join(out, `${name}.js`),
      banner: { js: `${LIBRARY_CHECK}\n${REQUIRE}` },
    });
  });
  return together(await Promise.all(bundles));
}

/** The files of the console's page. */
export const PAGE_FILES = ['index.html', 'app.js', 'app.css', 'icon.svg'] as const;

/** The page of the console, minified because a user waits for it. Resolves with its metafile. */
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

/** Merges the metafiles of several bundles. */
export function together(bundles: readonly Metafile[]): Metafile {
  return {
    inputs: Object.assign({}, ...bundles.map(({ inputs }) => inputs)) as Metafile['inputs'],
    outputs: Object.assign({}, ...bundles.map(({ outputs }) => outputs)) as Metafile['outputs'],
  };
}

/** The conformance suite, which shares no code with the rest. */
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

/** The client's entries by the name of their file. */
export const CLIENT = { index: 'src/client/index.ts', oauth2: 'src/client/oauth2.ts' } as const;

/** Options of a library: see {@link bundleLibrary}. */
export interface Library {
  readonly entryPoints: Readonly<Record<string, string>>;
  /** Entries that a page loads: they and their imports must not use modules of Node. */
  readonly forPages?: readonly string[];
  /** Differences from the readable form. */
  readonly options?: Pick<BuildOptions, 'chunkNames' | 'plugins' | 'minifyWhitespace' | 'lineLimit'>;
  /** The twins share files, too; else each entry is a twin in one file. */
  readonly splitTwins?: true;
}

/**
 * A library as ES modules, where common code of several entries is in one file, and as their CommonJS twins. Resolves
 * with their metafile.
 */
export async function bundleLibrary(out: string, library: Library): Promise<Metafile> {
  return together(await Promise.all([libraryAs('mjs', out, library), libraryAs('cjs', out, library)]));
}

async function libraryAs(
  kind: 'mjs' | 'cjs',
  out: string,
  { entryPoints, forPages = [], options = {}, splitTwins }: Library,
): Promise<Metafile> {
  const { minifyWhitespace = false, lineLimit = 0, plugins = [] } = options;
  const { metafile, outputFiles } = await build({
    ...modules,
    ...options,
    splitting: kind === 'mjs' || splitTwins === true,
    plugins: [...plugins, clientOfPage],
    entryPoints,
    outdir: out,
    outExtension: { '.js': `.${kind}` },
    write: false,
  });
  const pages = importedBy(
    forPages.map((name) => relative(root, join(out, `${name}.${kind}`))),
    metafile,
  );
  for (const { path, text } of outputFiles) {
    const banner = pages.has(relative(root, path)) ? '' : LIBRARY_CHECK;
    mkdirSync(dirname(path), { recursive: true });
    if (kind === 'mjs') writeFileSync(path, `${banner}\n${text}`);
    else writeFileSync(path, (await transform(text, { ...TWIN, minifyWhitespace, lineLimit, banner })).code);
    inAscii(path);
  }
  return metafile;
}

/** `page:FILE` is the entry FILE with the client of a page: it names all of the SDK once, for both. */
const clientOfPage: Plugin = {
  name: 'page',
  setup(bundler) {
    bundler.onResolve({ filter: /^page:/ }, ({ path }) => ({
      path: join(root, path.slice('page:'.length)),
      namespace: 'page',
    }));
    bundler.onLoad({ filter: /./, namespace: 'page' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'ts',
      resolveDir: dirname(path),
    }));
    bundler.onResolve({ filter: /^\.\//, namespace: 'page' }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path === './client.ts' ? './page-client.ts' : path),
    }));
  },
};

const TWIN = {
  format: 'cjs',
  platform: 'node',
  target: common.target,
  supported: common.supported,
} satisfies TransformOptions;

/** These files of a bundle, and all their imports. */
function importedBy(paths: readonly string[], { outputs }: Metafile): ReadonlySet<string> {
  const found = new Set(paths);
  // The loop also visits elements that are added to the set meanwhile.
  for (const path of found)
    for (const { path: imported } of outputs[path]?.imports ?? [])
      if (imported in outputs) found.add(imported);
  return found;
}

/** The program as one CommonJS file, as a single executable starts. `plugins` define the differences of that file. */
export function bundleExecutable(outfile: string, plugins: Plugin[]): Promise<Metafile> {
  return made({
    ...common,
    entryPoints: [PROGRAM.footbridge],
    outfile,
    format: 'cjs',
    plugins,
    // A path without files: no file next to the executable is mistaken for a part of it.
    define: { ...common.define, 'import.meta.url': '"file:///dev/null/footbridge"' },
  });
}

/** For npm the suite is a package of its own, so that it must be found as a file of its own. */
const suiteBeside = elsewhere(/^\.\.\/conformance\/run\.ts$/, './conformance/index.js');
const bridgeBeside = elsewhere(/^(?:\.|\.\.|\.\.\/\.\.)\/bridge(?:-parts)?\.ts$/, './bridge.js');
const commandLineBeside = elsewhere(/^\.\/command-line\.ts$/, './command-line.js');
/** Modules that every bridge loads. */
const BRIDGE = 'src/cli/bridge.ts';
/** Parts of a bridge that commands load. */
const BRIDGE_PARTS = 'src/cli/bridge-parts.ts';

/**
 * `bridge:FILE` is FILE, and all that a bridge loads: its importer runs in a bridge, or needs the majority of one.
 * Entries that share only some of a bridge cut it into more files, each of which costs every start. So would modules
 * that a bridge loads later, by `import()`.
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
 * Modules of Node as `require` has them. An import reads all exports, including those that Node only makes on access
 * (Web Crypto, the list of its own options), which costs every start some milliseconds and half a megabyte. Packages
 * that are loaded on demand import their modules directly, so that a start reads no additional file.
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
        // An export without importers is left out, and so not read.
        ...exportsOf(path).map(
          (name) => `const its_${name} = /* @__PURE__ */ its('${name}'); export { its_${name} as ${name} };`,
        ),
      ].join('\n'),
    }));
  },
};

/**
 * Modules of Node that a start does not need, and that cost it some milliseconds each: they are loaded at the first
 * call of one of their functions.
 */
const LATE: ReadonlySet<string> = new Set(['node:crypto', 'node:http']);

/** Only the functions of a late module: another value could only be read at once. */
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

/** Each proxy stands in for its function in every use, also where `promisify` reads a custom symbol from it. */
function late(path: string): string {
  return `const found = () => process.getBuiltinModule(${JSON.stringify(path)});
    const its = (name) => new Proxy(function () {}, {
      get: (_, key) => Reflect.get(found()[name], key),
      apply: (_, self, args) => Reflect.apply(found()[name], self, args),
      construct: (_, args) => Reflect.construct(found()[name], args),
    });`;
}

/** Imports of that path are not bundled, but resolved to another one. */
export function elsewhere(filter: RegExp, path: string): Plugin {
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
 * A single character beyond Latin-1 makes V8 store the whole file with two bytes for each. esbuild escapes those of
 * strings, and leaves those of comments and regular expressions, where an escape means the same.
 */
function inAscii(file: string): void {
  const text = readFileSync(file, 'utf8');
  const escaped = text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (escaped !== text) writeFileSync(file, escaped);
}
