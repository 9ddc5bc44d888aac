// Plugins of the bundler for what it has no option for.
import type { Plugin } from 'rolldown';
import { parseSync } from 'rolldown/utils';

const found = (name: string): string => `process.getBuiltinModule("${name}")`;

/**
 * Resolves modules of Node without an import, which would read all exports, including those that Node only creates on
 * access (Web Crypto, the list of its own options), at every start. A `require` of a package gets only modules of Node,
 * too. Functions of some modules load theirs when they are called, because that takes milliseconds and few starts need it.
 */
export const builtinModules: Plugin = {
  name: 'builtin-modules',
  renderChunk: (code) =>
    code
      .replaceAll(
        /^import \{(.+)\} from "(node:(?:child_process|crypto|http|v8))";$/gm,
        (_, names: string, from: string) => {
          const late = (_: string, name: string, own = name): string =>
            `${own} = (...all) => ${found(from)}.${name}(...all)`;
          return `const ${names.replaceAll(/(\w+)(?: as ([\w$]+))?/g, late)};`;
        },
      )
      .replaceAll(
        /^import (?:(\w+), )?(.+) from "(node:.+)";$/gm,
        (_, whole, names: string, name: string) => {
          const pattern = names
            .replace('* as ', '')
            .replace('default as', 'default:')
            .replaceAll(' as ', ': ');
          return `const ${whole === undefined ? '' : `${whole} = ${found(name)}, `}${pattern} = ${found(name)};`;
        },
      )
      .replaceAll(/\brequire\("(?:node:)?([\w/]+)"\)/g, (_, name: string) => found(`node:${name}`)),
};

/** Takes the indentation out of the templates of the console's page: they are markup, in which it has no meaning. */
export const unindented: Plugin = {
  name: 'unindented',
  transform: {
    filter: { id: /\/src\/console\/page\/.*\.ts$/ },
    handler: (code) => code.replaceAll(/\n[ \t]+/g, '\n'),
  },
};

/** Longest line, where it can be broken. */
const LINE = 400;

/** Breaks the lines, and escapes all characters outside ASCII: one outside Latin-1 doubles what V8 stores of a file. */
export const readable: Plugin = {
  name: 'readable',
  generateBundle(_, files) {
    for (const chunk of Object.values(files)) {
      if (chunk.type === 'asset') continue;
      chunk.code = inLines(chunk.code).replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** Breaks lines between statements, members, elements and arguments, where a break changes nothing. */
function inLines(code: string): string {
  const starts: number[] = [];
  const visit = (node: { readonly type?: string; readonly start?: number }): void => {
    const { type, start = 0 } = node;
    // A break in the text of a template would be part of it.
    if (type !== 'TemplateElement' && /[,;({}]/.test(code.charAt(start - 1))) starts.push(start);
    for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) visit(child);
  };
  visit(parseSync('chunk.js', code).program);
  let begin = 0;
  let last = 0;
  const lines: string[] = [];
  for (const start of [...starts.sort((a, b) => a - b), code.length]) {
    if (start - begin > LINE && last > begin) {
      lines.push(code.slice(begin, last));
      begin = last;
    }
    last = start;
  }
  return [...lines, code.slice(begin)].join('\n');
}

/** Returns a plugin that does not bundle imports of matching paths, and resolves them to another path. */
export function elsewhere(filter: RegExp, id: string): Plugin {
  return { name: id, resolveId: (path) => (filter.test(path) ? { id, external: true } : undefined) };
}
