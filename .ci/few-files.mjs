// An esbuild plugin that keeps the daemon's bundle in a few files. A module that is shared by an entry and a lazily
// imported one gets a file of its own for each combination, some thirty in all; loading so many takes a third of the
// daemon's start-up and makes V8 page in its optimizing compiler, 3.5 MiB. So what every run needs is imported at once,
// and all that is rare goes into one lazy part.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Imported lazily in the source, for the sake of the tests or of other cores, and needed by every run. */
const ALWAYS = [
  'pino',
  'src/cli/daemon/emulator.ts',
  'src/core/emulator/open-session.ts',
  'src/emulator/http/server.ts',
  'src/emulator/store/file-store.ts',
];

/** Where the daemon's code lives. */
const FOLDERS = [
  'src/cli/config',
  'src/cli/daemon',
  'src/cli/log',
  'src/control',
  'src/core',
  'src/emulator',
  'src/server',
  'src/session',
  'src/transport',
];

const LAZY_IMPORT = /\bimport\('([^']+)'\)/g;

export function fewFiles(root) {
  const always = new Set(ALWAYS.map((target) => (target.endsWith('.ts') ? join(root, target) : target)));
  const rare = [...new Set(FOLDERS.flatMap((folder) => targetsBelow(join(root, folder))))].filter(
    (target) => !always.has(target) && target !== 'koffi',
  );
  return {
    name: 'few-files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^footbridge:rare$/ }, ({ path }) => ({ path, namespace: 'rare' }));
      onLoad({ filter: /.*/, namespace: 'rare' }, () => ({
        contents: rare.map((target, i) => `export * as part${i} from ${JSON.stringify(target)};`).join('\n'),
        resolveDir: root,
        loader: 'ts',
      }));
      onLoad({ filter: /[/\\](src|platform)[/\\].*\.ts$/ }, ({ path }) => {
        const head = [];
        const body = readFileSync(path, 'utf8').replace(LAZY_IMPORT, (text, specifier) => {
          const target = targetOf(specifier, path);
          if (always.has(target)) {
            head.push(`import * as $part${head.length} from ${JSON.stringify(target)};`);
            return `Promise.resolve($part${head.length - 1})`;
          }
          const part = rare.indexOf(target);
          return part < 0 ? text : `import('footbridge:rare').then((rare) => rare.part${part})`;
        });
        return { contents: `${head.join('')}${body}`, loader: 'ts' };
      });
    },
  };
}

function targetsBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.name.endsWith('.ts'))
    .flatMap((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      return [...readFileSync(path, 'utf8').matchAll(LAZY_IMPORT)].map(([, specifier]) =>
        targetOf(specifier, path),
      );
    });
}

function targetOf(specifier, importer) {
  return specifier.startsWith('.') ? resolve(dirname(importer), specifier) : specifier;
}
