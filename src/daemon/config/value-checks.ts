import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { isModulePath } from '../module-path.ts';

/** Validation of a setting's value, and the explanation of an invalid value. */
export interface ValueCheck<T> {
  readonly schema: () => z.ZodType<T>;
  /** Completes "… is not". */
  readonly expected: string;
  /** Type to which the text of a flag or variable is converted before the validation; a keyword stays a text. */
  readonly text: 'string' | 'number' | 'boolean';
  /**
   * Present for a setting that is a path: a relative path counts from the configuration file's folder. `or-name`: only
   * a value that looks like a path is a path.
   */
  readonly path?: 'always' | 'or-name';
}

/** A text. */
export const text = (expected: string, schema: () => z.ZodType<string>): ValueCheck<string> => ({
  schema: once(schema),
  expected,
  text: 'string',
});

/** A path in the file system. */
export const pathOf = (what: string): ValueCheck<string> => ({
  ...text(`the path of a ${what}`, () => z.string().check(z.minLength(1), z.maxLength(4096))),
  path: 'always',
});

/** One of some words. */
export const choice = <const T extends string>(values: readonly T[]): ValueCheck<T> => ({
  schema: once(() => z.enum(values)),
  expected: `one of ${values.join(', ')}`,
  text: 'string',
});

/** A whole number between two bounds. */
export const whole = (min: number, max: number): ValueCheck<number> => ({
  schema: once(() => z.int().check(z.gte(min), z.lte(max))),
  expected: `a whole number from ${min} to ${max}`,
  text: 'number',
});

/** A whole number, or one of some words. */
export const wholeOr = <const T extends string>(
  words: readonly T[],
  min: number,
  max: number,
  expected: string,
): ValueCheck<T | number> => ({
  schema: once(() => z.union([z.enum(words), z.int().check(z.gte(min), z.lte(max))])),
  expected,
  text: 'number',
});

/** A part of a whole. */
export const share = (min: number): ValueCheck<number> => ({
  schema: once(() => z.number().check(z.gte(min), z.lte(1))),
  expected: `a number from ${min} to 1`,
  text: 'number',
});

/** Name of a client core, or path of a module. */
export const coreName = (names: readonly string[]): ValueCheck<string> => ({
  ...text(`a client core (${names.join(', ')}) or the path of a module`, () =>
    z.string().check(
      z.maxLength(4096),
      z.refine((name) => names.includes(name) || isModulePath(name)),
    ),
  ),
  path: 'or-name',
});

const isEndpoint = (value: string): boolean => isAbsolute(value) || value.startsWith('\\\\');

/** A list in the file becomes the text that a flag has; `upstreamPaths` splits it. */
export const upstreamPlaces: ValueCheck<string> = {
  schema: once(() =>
    z.union([
      z.string().check(
        z.maxLength(4096),
        z.refine((value) => value === 'auto' || isEndpoint(value)),
      ),
      z
        .array(z.string().check(z.maxLength(4096), z.refine(isEndpoint)))
        .check(z.minLength(1), z.maxLength(8))
        .transform((paths) => paths.join(',')),
    ]),
  ),
  expected: '"auto" or the absolute path of a socket or pipe, or a list of paths',
  text: 'string',
};

/** A code and its verifier go to this address, so nobody else may read them. */
export const isTokenAddress = (text: string): boolean =>
  /^https:\/\/[^/?#@\s]+(?:\/\S*)?$|^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/\S*)?$/.test(
    text,
  );

/** True or false. */
export const yesOrNo: ValueCheck<boolean> = {
  schema: once(() => z.boolean()),
  expected: 'true or false',
  text: 'boolean',
};
