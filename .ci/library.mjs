// Bundles the parts that programs import: CommonJS is the code, ES modules re-export it, so that a program that
// loads both has one copy.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { shorter } from './shorter.mjs';

/** Node prints the whole line of an error that nobody catches. */
const LINE = 1000;

/**
 * Arrows are unsafe for a function that is called with `new`: we write classes. A function that is used once stays where
 * it is: inside the one that calls it, it would be made anew by every call.
 */
const COMPRESS = { unsafe_arrows: true, reduce_funcs: false };

/** Members that never leave the client's bundle, and so need no long name there. */
const INTERNAL_MEMBERS = [
  'HANDSHAKE FRAME CLOSE PING PONG NORMAL UNSUPPORTED ABNORMAL INVALID_CLIENT_ID INVALID_ORIGIN RATE_LIMITED',
  'TOKEN_REVOKED INVALID_VERSION INVALID_ENCODING pendingBytes frames append detail opcode bytes body',
  'link key authenticated handler prepare searched answer ended dispatch gone ready fail tell list emit kind',
  'arm disarm take sleep need onEnd trying owner lost most begin hold patienceMs application enter again finish bearer ask',
].flatMap((line) => line.split(' '));

/** The libraries of the package: a folder of dist/ each, and its entries by file name. */
export const libraries = {
  client: {
    entries: { index: 'src/client/index.ts', oauth2: 'src/client/oauth2.ts' },
    mangled: { index: INTERNAL_MEMBERS },
    // Whose declarations another entry of the library holds already.
    shared: { oauth2: { 'src/client/client.ts': './index.cjs' } },
    // Whose members keep their documentation, one sentence each: the rest is in the README.
    documented: ['src/client/client.ts', 'src/client/options.ts', 'src/client/oauth2.ts'],
  },
  sdk: {
    entries: { index: 'src/sdk/index.ts' },
    mangled: {},
    shared: { index: { 'src/client/index.ts': '../client/index.cjs' } },
    documented: 'all',
    // One copy of the client, and one class of errors, also for a program that uses both.
    required: { 'src/client/index.ts': '../client/index.cjs' },
  },
};

/** Writes `<out>/<entry>.cjs`, which is the code, and `.mjs`, which exports the same by way of `.esm.cjs`. */
export async function bundleLibrary(root, { entries, mangled, required = {} }, out, define = {}) {
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
      lineLimit: LINE,
      legalComments: 'none',
      write: false,
      logLevel: 'warning',
      define,
      plugins: [requiring(root, required)],
      // It would be written as a string, because other versions of Node know other characters.
      supported: { 'regexp-unicode-property-escapes': true },
      ...(mangled[name] ? { mangleProps: new RegExp(`^(${mangled[name].join('|')})$`) } : {}),
    });
    const { code, names } = toCommonJs(outputFiles[0].text);
    const short = await shorter(code, { max_line_len: LINE }, COMPRESS);
    writeFileSync(join(out, `${name}.cjs`), short);
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

/** Sources that are not bundled: the file that holds them is required instead. */
function requiring(root, files) {
  return {
    name: 'required',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const source = relative(root, join(resolveDir, path)).replaceAll('\\', '/');
        return files[source] ? { path: files[source], external: true } : undefined;
      });
    },
  };
}

/** esbuild's own CommonJS wrapper is 600 bytes larger than what follows here from its ES module output. */
function toCommonJs(esm) {
  const names = [];
  const imports = new Map();
  const rest = esm.replaceAll(/import\{([^}]*)\}from"((?:node:|\.)[^"]+)";/g, (_all, list, from) => {
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
