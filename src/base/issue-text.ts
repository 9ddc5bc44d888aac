import { didYouMean } from './nearest.ts';

/** The members of a zod issue that its text needs. */
export interface Issue {
  readonly code?: string | undefined;
  readonly input?: unknown;
  readonly path?: readonly PropertyKey[] | undefined;
  readonly expected?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly inclusive?: boolean | undefined;
  readonly exact?: boolean | undefined;
  readonly divisor?: number | bigint | undefined;
  readonly origin?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  /** Issues of each shape of a union. */
  readonly errors?: readonly (readonly Issue[])[] | undefined;
  /** Issues of a key of a record, or of an entry. */
  readonly issues?: readonly Issue[] | undefined;
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[] | undefined;
  /** Schema that found it. */
  readonly inst?: { readonly _zod: { readonly def: object } } | undefined;
}

/**
 * The second argument of `safeParse` where a user reads the issues: an issue whose schema has no message gets
 * {@link issueText}. It is passed to each call, because zod's global settings belong to the embedding program.
 */
export function withIssueText(types?: Readonly<Record<string, string>>): {
  readonly error: (issue: Issue) => string;
} {
  return { error: (issue) => issueText(issue, types) };
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  nan: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/**
 * Describes an issue as a text that follows the name of the value: `must be a text`. `types` renames types. The text
 * does not contain the value, which may be a secret.
 */
function issueText(issue: Issue, types: Readonly<Record<string, string>> = {}): string {
  const typeName = (type: string | undefined): string =>
    types[type ?? ''] ?? TYPES[type ?? ''] ?? String(type);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${typeName(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be ${oneOf(issue.values)}`;
    case 'too_small':
      return `must be ${bound('least', 'more than', issue, issue.minimum)}`;
    case 'too_big':
      return `must be ${bound('most', 'less than', issue, issue.maximum)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.format === 'regex' || issue.format === undefined
        ? `must have the form ${String(issue.pattern).slice(0, 100)}`
        : `must be a valid ${issue.format.replaceAll('_', ' ')}`;
    case 'unrecognized_keys':
      return unknownKeys(issue);
    case 'invalid_union':
      return unionText(issue, typeName);
    case 'invalid_key':
      return `must not have such a key: a key ${nested(issue, types)}`;
    case 'invalid_element':
      return `must not have such an entry: an entry ${nested(issue, types)}`;
    default:
      return 'is not valid';
  }
}

function bound(
  edge: 'least' | 'most',
  beyond: string,
  { origin, inclusive, exact }: Issue,
  limit: number | bigint | undefined,
): string {
  const unit = UNITS[origin ?? ''];
  const amount = unit === undefined ? String(limit) : `${limit} ${Number(limit) === 1 ? unit[0] : unit[1]}`;
  if (exact === true) return `exactly ${amount}`;
  return inclusive === false ? `${beyond} ${amount}` : `at ${edge} ${amount}`;
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
};

function oneOf(values: readonly unknown[] = []): string {
  const list = values.map(String).join(', ');
  return values.length === 1 ? list : `one of ${list}`;
}

function unknownKeys({ keys = [], inst }: Issue): string {
  const quoted = keys.slice(0, 8).map((key) => JSON.stringify(key.slice(0, 40)));
  const { shape } = { shape: {}, ...inst?._zod.def };
  const meant = keys.length === 1 ? didYouMean(keys[0] ?? '', Object.keys(shape)) : '';
  return `must not have ${quoted.join(', ')}: not known here.${meant}`;
}

/**
 * Text for a union: names the shapes where each shape is one type or value; otherwise describes the issue of the shape
 * that matched furthest.
 */
function unionText(issue: Issue, typeName: (type: string | undefined) => string): string {
  if (issue.input === undefined) return 'is missing';
  if (issue.discriminator !== undefined && issue.options !== undefined) {
    return `must have a "${issue.discriminator}" that is ${oneOf(issue.options)}`;
  }
  const firsts = (issue.errors ?? []).flatMap(([first]) => first ?? []);
  const shapes = new Set<string>();
  for (const { code, path = [], expected, values } of firsts) {
    if (path.length > 0) continue;
    if (code === 'invalid_type') shapes.add(typeName(expected));
    else if (code === 'invalid_value') for (const value of values ?? []) shapes.add(String(value));
  }
  return shapes.size === 0
    ? 'has none of the forms that are known here'
    : `must be ${[...shapes].join(' or ')}`;
}

function nested({ issues = [] }: Issue, types: Readonly<Record<string, string>>): string {
  const [first] = issues;
  return first === undefined ? 'is not valid' : issueText(first, types);
}
