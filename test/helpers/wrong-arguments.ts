import { type JsonSchema, problemsOf } from './json-schema.ts';

/** Values of every kind that JSON has, among them one that each bound forbids. */
const candidates: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e9,
  '',
  'x'.repeat(9000),
  'nothing that is listed',
  [],
  [[]],
  Array.from({ length: 70 }, () => 'x'),
  {},
  { x: 1 },
];

/** Arguments with one thing wrong, and where. */
export interface WrongArguments {
  /** The name of the argument. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * From a schema of arguments and arguments that are valid: each required one left out, and each one in turn replaced
 * by every candidate that its own schema forbids.
 */
export function wrongArguments(
  schema: { readonly [keyword: string]: unknown },
  valid: Readonly<Record<string, unknown>>,
): WrongArguments[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const missing = required.map((name) => {
    const { [name]: _left, ...args } = valid;
    return { name, args };
  });
  const replaced = Object.entries(properties).flatMap(([name, one]) =>
    candidates
      .filter((value) => problemsOf(one, value).length > 0)
      .map((value) => ({ name, args: { ...valid, [name]: value } })),
  );
  return [...missing, ...replaced];
}
