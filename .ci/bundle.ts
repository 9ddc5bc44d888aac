// The common esbuild configuration, and the bundles that are made with it. Names are not shortened and lines stay
// short, so that a developer can read a stack trace. Every package is bundled unchanged.
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
  // koffi is external because its native part is searched next to its own package; node-ipc because the user installs
  // it.
  external: ['koffi', 'node-ipc'],
  define: { __FOOTBRIDGE_VERSION__: JSON.stringify(version), __FOOTBRIDGE_RELEASE__: 'true' },
  // Otherwise esbuild would convert such a regular expression to a string, because versions of Node support different
  // sets of characters.
  supported: { 'regexp-unicode-property-escapes': true },
  logLevel: 'warning',
} satisfies BuildOptions;

/** Options that shorten code but keep its names, and lines short enough to be found and printed next to an error. */
export const LEAN = { minifyWhitespace: true, minifySyntax: true, lineLimit: 400 } as const;

const modules = { ...common, format: 'esm', splitting: true, chunkNames: '[name]-[hash]' } as const;

/** The program's entry. */
export const PROGRAM = { footbridge: 'src/cli/main.ts' } as const;
/**
 * Parts of a bridge that the package exports. They share one copy of common code, even in a program that loads several
 * of them.
 */
const PARTS = {
  server: 'src/server/entry.ts',
  core: 'bridge:src/core/entry.ts',
  testing: 'bridge:src/testing/testing.ts',
  'testing-vitest': 'bridge:src/testing/vitest.ts',
};

/**
 * Replacement for `require` in CommonJS packages; it only returns modules of Node. Node's own `require` would also
 * search every parent folder for optional packages, where any user may have put one, and creating it takes time in each
 * file of a start.
 */
const REQUIRE = `const require = (name) => {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(\`Cannot find module '\${name}'\`);
  return found;
};`;

const NODE_NEEDED = JSON.stringify(lowestOf(manifest.engines.node));
/** First statement of a program: an old Node prints a one-line error before it reaches syntax that it does not know. */
const NODE_CHECK = `(${refuseOldNode.toString()})(${NODE_NEEDED});`;
/** First statement of each file of a library, because any of the files may be evaluated first. */
const LIBRARY_CHECK = `(${throwInOldNode.toString()})(${NODE_NEEDED});`;

/**
 * Writes the program's ES modules into `out`, with the conformance suite next to them. Resolves with their metafile.
 * The bridge and the other commands each contain their own copy of common code. Shared code would be in files of its
 * own, and Node resolves a path for each import between files. At about thirty such imports, Node's loop over paths
 * becomes so hot that V8 compiles it for speed, which takes 8 ms of processor time at the start and 4 MB of memory for
 * the lifetime of the process.
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
 * Packages that several bundles need, with the names that they use. Each package is in one file, which the bundles
 * import.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'smol-toml': ['parse', 'stringify', 'TomlError'],
  ws: ['WebSocket', 'WebSocketServer'],
  zod: await namesOfZod(),
};

/** Returns the names of zod that the sources use. */
async function namesOfZod(): Promise<readonly string[]> {
  const all = Object.keys(await import('zod'));
  const used = ['src', 'platform', 'service'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8'))
      .flatMap((text) => [...text.matchAll(/\bz\s*\.\s*(\w+)/g)].map(([, name = '']) => name)),
  );
  // `core` is left out, because only its types are used; its value is the whole package.
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
      // Imports go through one virtual source per bundle, because esbuild repeats an external import in each source
      // that contains it.
      bundler.onResolve({ filter: /./, namespace: name }, () => ({ path, external: true }));
      bundler.onLoad({ filter: /./, namespace: name }, () => ({
        contents: `export { ${names.join()} } from '${path}';`,
      }));
    },
  };
});

/** Bundles each of {@link PACKAGES} into a file of its own. */
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

/** Bundles the page of the console; it is minified because a user waits for it. Resolves with its metafile. */
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

/** Bundles the conformance suite, which shares no code with other bundles. */
export function bundleConformance(
  out: string,
  entryPoints: Readonly<Record<string, string>>,
): Promise<Metafile> {
  return made({ ...modules, entryPoints, outdir: out, banner: { js: NODE_CHECK } });
}

/** Bundles the attach library for pages: one file without modules of Node. */
export function bundleAttach(out: string): Promise<Metafile> {
  cpSync(join(root, 'src/attach/schema.json'), join(out, 'attach.schema.json'));
  return made({ ...modules, entryPoints: { attach: 'src/attach/attach.ts' }, outdir: out });
}

/** Entries of the client library, by the name of their file. */
export const CLIENT = { index: 'src/client/index.ts', oauth2: 'src/client/oauth2.ts' } as const;

/** Options of {@link bundleLibrary}. */
export interface Library {
  readonly entryPoints: Readonly<Record<string, string>>;
  /** Entries that a page loads; neither they nor their imports may use modules of Node. */
  readonly forPages?: readonly string[];
  /** Options that differ from those of a readable library. */
  readonly options?: Pick<BuildOptions, 'chunkNames' | 'plugins' | keyof typeof LEAN>;
  /** With true, the CommonJS variants share files, too; by default each entry is a single CommonJS file. */
  readonly splitFormats?: true;
}

/**
 * Bundles a library as ES modules, which share common code in separate files, and as CommonJS variants. Resolves with
 * their metafile.
 */
export async function bundleLibrary(out: string, library: Library): Promise<Metafile> {
  return together(await Promise.all([libraryAs('mjs', out, library), libraryAs('cjs', out, library)]));
}

async function libraryAs(
  kind: 'mjs' | 'cjs',
  out: string,
  { entryPoints, forPages = [], options = {}, splitFormats }: Library,
): Promise<Metafile> {
  const { minifyWhitespace = false, minifySyntax = false, lineLimit = 0, plugins = [] } = options;
  const { metafile, outputFiles } = await build({
    ...modules,
    ...options,
    splitting: kind === 'mjs' || splitFormats === true,
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
    else
      writeFileSync(
        path,
        (await transform(text, { ...COMMONJS, minifyWhitespace, minifySyntax, lineLimit, banner })).code,
      );
    inAscii(path);
  }
  return metafile;
}

/**
 * Resolves `page:FILE` to the entry FILE with the client for pages, so that one entry names all of the SDK for Node and
 * for pages.
 */
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

const COMMONJS = {
  format: 'cjs',
  platform: 'node',
  target: common.target,
  supported: common.supported,
} satisfies TransformOptions;

/** Returns these files of a bundle and all their direct and indirect imports. */
function importedBy(paths: readonly string[], { outputs }: Metafile): ReadonlySet<string> {
  const found = new Set(paths);
  // The loop also visits elements that are added to the set during the loop.
  for (const path of found)
    for (const { path: imported } of outputs[path]?.imports ?? [])
      if (imported in outputs) found.add(imported);
  return found;
}

/**
 * Bundles the program as one CommonJS file, which a single executable needs. `plugins` define the differences of that
 * file.
 */
export function bundleExecutable(outfile: string, plugins: Plugin[]): Promise<Metafile> {
  return made({
    ...common,
    entryPoints: [PROGRAM.footbridge],
    outfile,
    format: 'cjs',
    plugins,
    // The path is in a folder without files, so that no file next to the executable is mistaken for a part of it.
    define: { ...common.define, 'import.meta.url': '"file:///dev/null/footbridge"' },
  });
}

/**
 * The conformance suite is not bundled into the program: npm publishes it as a package of its own, so it must be a
 * separate file.
 */
const suiteBeside = elsewhere(/^\.\.\/conformance\/run\.ts$/, './conformance/index.js');
const bridgeBeside = elsewhere(/^(?:\.|\.\.|\.\.\/\.\.)\/bridge(?:-parts)?\.ts$/, './bridge.js');
const commandLineBeside = elsewhere(/^\.\/command-line\.ts$/, './command-line.js');
/** Modules that every bridge loads. */
const BRIDGE = 'src/cli/bridge.ts';
/** Parts of a bridge that commands load. */
const BRIDGE_PARTS = 'src/cli/bridge-parts.ts';

/**
 * Resolves `bridge:FILE` to FILE together with everything that a bridge loads, because the importer of FILE runs in a
 * bridge or needs most of one. Entries that share only parts of a bridge would make esbuild split it into more files,
 * each of which delays every start; so would modules that a bridge loads later by `import()`.
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
 * Resolves modules of Node as `require` does. An import would read all exports, including those that Node only creates
 * on access (Web Crypto, the list of its own options), which takes some milliseconds and half a megabyte at every
 * start. Packages that are loaded on demand import their modules directly, so that a start reads no additional file.
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
        // esbuild removes an export that no source imports, so it is not read.
        ...exportsOf(path).map(
          (name) => `const its_${name} = /* @__PURE__ */ its('${name}'); export { its_${name} as ${name} };`,
        ),
      ].join('\n'),
    }));
  },
};

/**
 * Modules of Node that a start does not need and whose load takes some milliseconds each; they are loaded when one of
 * their functions is first called.
 */
const LATE: ReadonlySet<string> = new Set(['node:crypto', 'node:http']);

/**
 * Returns the exports of a module. For a late module only functions are exported, because any other value would have to
 * be read at once.
 */
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

/**
 * Returns the code of a late module. A proxy replaces each function in every use, even when `promisify` reads a custom
 * symbol from it.
 */
function late(path: string): string {
  return `const found = () => process.getBuiltinModule(${JSON.stringify(path)});
    const its = (name) => new Proxy(function () {}, {
      get: (_, key) => Reflect.get(found()[name], key),
      apply: (_, self, args) => Reflect.apply(found()[name], self, args),
      construct: (_, args) => Reflect.construct(found()[name], args),
    });`;
}

/** Returns a plugin that does not bundle imports of matching paths, and resolves them to another path. */
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
 * Escapes all characters outside ASCII. A single character outside Latin-1 makes V8 store the whole file with two bytes
 * per character. esbuild escapes such characters in strings, but not in comments and regular expressions, in which an
 * escape has the same meaning.
 */
function inAscii(file: string): void {
  const text = readFileSync(file, 'utf8');
  const escaped = text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (escaped !== text) writeFileSync(file, escaped);
}
