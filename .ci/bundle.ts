// The bundles. Names are not shortened and lines stay short, so that a developer can read a stack trace. Every package is
// bundled unchanged. Each function resolves with the sources whose code is in its files.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };
import { builtinModules, elsewhere, readable, unindented } from './bundle-plugins.ts';
import { refuseOldNode, throwInOldNode } from './old-node.mjs';

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));
export const { version, description, scripts } = manifest;

const NODE_NEEDED = JSON.stringify(manifest.engines.node.replace('>=', ''));
/** First statement of a program: an old Node prints a one-line error before it reaches syntax that it does not know. */
const NODE_CHECK = `(${refuseOldNode.toString()})(${NODE_NEEDED});`;
/** First statement of each other file, because any of them may be evaluated first. */
const LIBRARY_CHECK = `(${throwInOldNode.toString()})(${NODE_NEEDED});`;

/** Entries by the name of their file. */
export type Entries = Readonly<Record<string, string>>;
const PROGRAM = { footbridge: 'src/cli/main.ts' } as const;
/** Parts of a bridge that the package exports. */
export const PARTS = {
  core: 'src/core/entry.ts',
  server: 'src/server/entry.ts',
  testing: 'src/testing/entry.ts',
  'testing-vitest': 'src/testing/vitest.ts',
} as const;
export const ATTACH = { attach: 'src/attach/attach.ts' } as const;
export const CLIENT = { index: 'src/client/index.ts', oauth2: 'src/client/oauth2.ts' } as const;

/**
 * Files that a start reads, each with everything that its modules import: what every command needs, what a command needs
 * that talks to a bridge, and what a bridge needs. By itself the bundler makes a file of each set of modules that the same
 * entries share, and every further file costs a start more time than its content.
 */
const groups = [
  { name: 'command-line', test: /src\/cli\/command-line\.ts$/, priority: 3 },
  { name: 'control', test: /src\/cli\/commands\/status\.ts$/, priority: 2 },
  { name: 'bridge', test: /src\/(?:cli\/bridge|daemon\/run)\.ts$/, priority: 1 },
];

/** Code without spaces, but with its names. */
export const LEAN = { compress: true, mangle: false, codegen: { removeWhitespace: true } } as const;

type Input = Pick<InputOptions, 'platform' | 'plugins' | 'treeshake'> & { readonly define?: object };

async function bundle(entries: Entries, input: Input, ...outputs: OutputOptions[]): Promise<string[]> {
  const { define, ...others } = input;
  const made = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    // koffi's native part is searched next to its own package; node-ipc is installed by the user.
    external: ['koffi', 'node-ipc', /^node:/],
    transform: {
      target: 'node20.19',
      define: {
        __FOOTBRIDGE_VERSION__: JSON.stringify(version),
        __FOOTBRIDGE_RELEASE__: 'true',
        // Then ws does not search every parent folder for optional packages, where any user may have put one.
        'process.env.WS_NO_BUFFER_UTIL': '"1"',
        'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
        ...define,
      },
    },
    experimental: { attachDebugInfo: 'none' },
    ...others,
  });
  const chunks: OutputChunk[] = [];
  for (const options of outputs) {
    const { output } = await made.write({
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      comments: false,
      polyfillRequire: false,
      // A page has no modules of Node.
      banner: ({ imports }) => (imports.some((name) => name.startsWith('node:')) ? LIBRARY_CHECK : ''),
      ...options,
    });
    chunks.push(...output.filter((one) => one.type === 'chunk'));
  }
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
  return modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([source]) => source);
}

/** Bundles the program as ES modules, with the conformance suite and the page next to it. The SDK uses the same `ws`. */
export async function bundleProgram(dir: string, parts: Entries = { ...PARTS, ws: 'ws' }): Promise<string[]> {
  const banner = ({ name }: { readonly name: string }) =>
    name === 'footbridge' ? NODE_CHECK : LIBRARY_CHECK;
  await bundleConformance(join(dir, 'conformance'), { index: 'src/conformance/run.ts' });
  const page = await bundlePage(join(dir, 'console'));
  // npm publishes the conformance suite as a package of its own, so it must be a separate file.
  const plugins = [elsewhere(/\/conformance\/run\.ts$/, './conformance/index.js'), builtinModules, readable];
  const output = { dir, banner, minify: LEAN, codeSplitting: { groups } };
  return [...page, ...(await bundle({ ...PROGRAM, ...parts }, { plugins }, output))];
}

export const PAGE_FILES = ['index.html', 'app.js', 'drawn.js', 'app.css', 'icon.svg'] as const;

/** Bundles the page of the console; it is minified because a user waits for it. */
export function bundlePage(dir: string): Promise<string[]> {
  const from = join(root, 'src/console/page');
  mkdirSync(dir, { recursive: true });
  for (const name of ['index.html', 'icon.svg']) cpSync(join(from, name), join(dir, name));
  writeFileSync(join(dir, 'app.css'), pageStyle(from));
  const output = { dir, minify: true, banner: '', chunkFileNames: '[name].js' } as const;
  return bundle({ app: join(from, 'app.ts') }, { platform: 'browser', plugins: [unindented] }, output);
}

/** Style sheet of the page: variables, then elements, then the sheet of each part, in the order of their paths. */
function pageStyle(from: string): string {
  const sheets = readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .sort();
  const isBase = (name: string): boolean => name.startsWith('style');
  const ordered = [...sheets.filter(isBase), ...sheets.filter((name) => !isBase(name))];
  return ordered.map((name) => withoutSpace(readFileSync(join(from, name), 'utf8'))).join('');
}

/** A style sheet without comments and without space that has no meaning. */
function withoutSpace(sheet: string): string {
  return sheet
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s*([{};,]|:(?=\s))\s*/g, '$1')
    .replaceAll(/;\}/g, '}')
    .replaceAll(/ ?([>~]) ?/g, '$1')
    .replaceAll(/(?<![\w.])0\.(?=\d)/g, '.')
    .trim();
}

/** Bundles the conformance suite, which shares no code with other bundles. */
export function bundleConformance(dir: string, entries: Entries): Promise<string[]> {
  return bundle(entries, { plugins: [builtinModules, readable] }, { dir, banner: NODE_CHECK });
}

/** Bundles the attach library for pages: one file without modules of Node. */
export function bundleAttach(dir: string): Promise<string[]> {
  for (const name of ['attach', 'scenario'])
    cpSync(join(root, 'src', name, 'schema.json'), join(dir, `${name}.schema.json`));
  return bundle(ATTACH, { platform: 'browser', plugins: [readable] }, { dir });
}

/** Bundles a library as ES modules and as CommonJS; the entries of each kind share files below the path `shared`. */
export function bundleLibrary(dir: string, entries: Entries, shared = '', minify?: typeof LEAN) {
  const input = {
    treeshake: { moduleSideEffects: false },
    plugins: [elsewhere(/^ws$/, '../ws.js'), readable],
  };
  const output = (format: 'esm' | 'cjs', type: string): OutputOptions => ({
    dir,
    format,
    entryFileNames: `[name].${type}`,
    chunkFileNames: `${shared}[name]-[hash].${type}`,
    ...(minify && { minify }),
  });
  return bundle(entries, input, output('esm', 'mjs'), output('cjs', 'cjs'));
}

/** Bundles the program as one CommonJS file, which a single executable needs, with its differences in `plugins`. */
export function bundleExecutable(file: string, plugins: Plugin[]): Promise<string[]> {
  // The path is in a folder without files, so that no file next to the executable is mistaken for a part of it.
  const define = { 'import.meta.url': '"file:///dev/null/footbridge"' };
  const input = { plugins: [...plugins, builtinModules, readable], define };
  return bundle(PROGRAM, input, { file, format: 'cjs', banner: '', codeSplitting: false });
}
