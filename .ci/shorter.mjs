// A second look at what esbuild has made short: code that nothing calls any more, in the CommonJS files of packages above
// all, and names by how often they occur. A twenty-fifth of the program.
import { minify } from 'terser';

/** The code, shorter; a script or CommonJS module. `format` and `compress` are terser's. Rejects with what is wrong with it. */
export async function shorter(code, format = {}, compress = {}) {
  const options = {
    ecma: 2022,
    toplevel: true,
    compress: { passes: 4, ...compress },
    format: { ascii_only: true, ...format },
  };
  return (await minify(code, options)).code;
}
