import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js';
import { parseUrl } from '../../src/base/url.ts';

/** A JSON Schema 2020-12. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** Throws at a word that the standard does not have. */
const judge = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  allErrors: true,
  // Each schema judges few values: to optimize its code takes longer than to run it.
  code: { optimize: false },
});
judge.addFormat('uri', (value) => parseUrl(value) !== undefined);

/** Where a value breaks a schema, as ajv sees it; empty when it is valid. */
export function problemsOf(schema: JsonSchema, value: unknown): string[] {
  const validate = judge.compile(schema as AnySchema);
  return validate(value) ? [] : textsOf(validate.errors);
}

/** Where a schema is none of 2020-12 by its meta-schema; empty when all of it is one. */
export function malformed(schema: unknown): string[] {
  try {
    judge.compile(schema as AnySchema);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function textsOf(errors: readonly ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).map(({ instancePath, keyword, params, message = '' }) => {
    const at = instancePath.replaceAll('/', '.');
    const missing: unknown = params['missingProperty'];
    return keyword === 'required' ? `${at}.${String(missing)}: is missing` : `${at}: ${message}`;
  });
}
