// An esbuild plugin that leaves out what the libraries have and Footbridge never uses: a tenth of the program, and
// modules of Node that would be loaded for nothing.
import { readFileSync } from 'node:fs';

/** Stand-ins, which throw when they are used after all. */
const UNUSED = {
  // We write to a destination of our own: no transports in workers, no files, no redaction of paths.
  'pino/lib/transport.js': 'module.exports = unused;',
  'pino/lib/multistream.js': 'module.exports = unused;',
  'sonic-boom/index.js': 'module.exports = unused;',
  '@pinojs/redact/index.js': 'module.exports = unused;',
  // Compression is off on every WebSocket.
  'ws/lib/permessage-deflate.js':
    "module.exports = class { static extensionName = 'permessage-deflate'; constructor() { unused(); } };",
};

export const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[/\\]node_modules[/\\](pino|sonic-boom|@pinojs|ws)[/\\].*\.js$/ }, ({ path }) => {
      const file = path.replaceAll('\\', '/').split('/node_modules/').pop();
      if (UNUSED[file] === undefined) return undefined;
      const unused = `function unused() { throw new Error('${file} is not in this bundle'); }`;
      return { contents: `${unused}\n${UNUSED[file]}` };
    });
    // The namespace of a lazy import would keep the whole package.
    onResolve({ filter: /^[a-z][\w-]*$/ }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import') return undefined;
      const names = namesTaken(readFileSync(importer, 'utf8'), path);
      return names === undefined ? undefined : { path, suffix: `?${names}`, namespace: 'taken' };
    });
    onLoad({ filter: /.*/, namespace: 'taken' }, ({ path, suffix }) => {
      return { contents: `export { ${suffix.slice(1)} } from '${path}';`, resolveDir: import.meta.dirname };
    });
  },
};

/** The exports that a source file takes of a package, when it takes it apart wherever it imports it. */
function namesTaken(source, from) {
  const imports = source.split(`import('${from}')`).length - 1;
  const taken = [...source.matchAll(new RegExp(`\\{ ([\\w, ]+) \\} = await import\\('${from}'\\)`, 'g'))];
  if (taken.length === 0 || taken.length !== imports) return undefined;
  return [...new Set(taken.flatMap(([, names]) => names.split(', ')))].join(',');
}
