// An esbuild plugin that leaves out what the libraries have and Footbridge never uses: a tenth of the program, and
// modules of Node that would be loaded for nothing.
import { readFileSync } from 'node:fs';

/** Stand-ins, which throw when they are used after all. */
const UNUSED = {
  // We write to a destination of our own: no transports in workers, no files, no redaction of paths.
  'pino/lib/transport.js': 'module.exports = unused;',
  'pino/lib/multistream.js': 'module.exports = unused;',
  'pino/lib/redaction.js': 'module.exports = unused;',
  'sonic-boom/index.js': 'module.exports = unused;',
  'on-exit-leak-free/index.js': 'module.exports = { register: unused, unregister: unused };',
  // The fields of a line are text and numbers: no errors, no requests, no circles.
  'pino-std-serializers/index.js':
    'module.exports = { err: unused, mapHttpRequest: unused, mapHttpResponse: unused };',
  'safe-stable-stringify/index.js': 'module.exports = { configure: () => unused };',
  // Compression is off on every WebSocket, and so no extension is agreed on.
  'ws/lib/permessage-deflate.js':
    "module.exports = class { static extensionName = 'permessage-deflate'; constructor() { unused(); } };",
  'ws/lib/extension.js': 'module.exports = { format: unused, parse: unused };',
  // We listen with on(), and to the socket itself.
  'ws/lib/event-target.js':
    'module.exports = { EventTarget: { addEventListener: unused, removeEventListener: unused } };',
  'ws/lib/stream.js': 'module.exports = unused;',
  // The header is taken off before the library sees a request.
  'ws/lib/subprotocol.js': 'module.exports = { parse: unused };',
};

/** What goes out of a file that is used otherwise: functions by name, and modules that only they need. */
const CUT = {
  // We serve: no WebSocket of ours opens a connection.
  'ws/lib/websocket.js': {
    functions: ['initAsClient', 'netConnect', 'tlsConnect'],
    modules: ['https', 'http', 'net', 'tls', 'querystring', 'url'],
  },
};

/** Whether all of a file of a package, by its path below node_modules, is left out. */
export function isLeftOut(file) {
  return UNUSED[file] !== undefined;
}

export const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[/\\]node_modules[/\\].*\.js$/ }, ({ path }) => {
      const file = path.replaceAll('\\', '/').split('/node_modules/').pop();
      const unused = `function unused() { throw new Error('${file} is not in this bundle'); }`;
      if (UNUSED[file] !== undefined) return { contents: `${unused}\n${UNUSED[file]}` };
      if (CUT[file] === undefined) return undefined;
      return { contents: `${cut(readFileSync(path, 'utf8'), file)}\n${unused}` };
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

/** Throws when the file, of another version perhaps, has not exactly what is to go. */
function cut(source, file) {
  const { functions, modules } = CUT[file];
  const without = (text, pattern, instead, what) => {
    if ([...text.matchAll(pattern)].length !== 1) throw new Error(`${file} has not one ${what} to leave out`);
    return text.replace(pattern, instead);
  };
  const rest = functions.reduce((text, name) => {
    const whole = new RegExp(`^function ${name}\\(.*?^\\}$`, 'gms');
    return without(text, whole, `function ${name}() { unused(); }`, `function ${name}`);
  }, source);
  return modules.reduce((text, name) => {
    return without(text, new RegExp(`^const .* = require\\('${name}'\\);$`, 'gm'), '', `import of ${name}`);
  }, rest);
}

/** The exports that a source file takes of a package, when it takes it apart wherever it imports it. */
function namesTaken(source, from) {
  const imports = source.split(`import('${from}')`).length - 1;
  const taken = [...source.matchAll(new RegExp(`\\{ ([\\w, ]+) \\} = await import\\('${from}'\\)`, 'g'))];
  if (taken.length === 0 || taken.length !== imports) return undefined;
  return [...new Set(taken.flatMap(([, names]) => names.split(', ')))].join(',');
}
