import type * as z from 'zod';
import { withIssueText } from '../../base/issue-text.ts';
import type { FieldFault } from '../kernel/errors.ts';
import { invalidForm } from './api-error.ts';

/** Maximum number of errors in one reply. */
const MAX_FAULTS = 32;

/** Parses a value with a schema. @throws ApiError 50035 with every error at its path. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true, ...withIssueText() });
  if (result.success) return result.data;
  throw invalidForm(result.error.issues.slice(0, MAX_FAULTS).flatMap((issue) => faultsOf(issue, [])));
}

type Issue = z.core.$ZodIssue;

function faultsOf(issue: Issue, above: readonly (string | number)[]): FieldFault[] {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  // If a value matches none of several shapes, the errors of the closest shape explain the mistake best.
  if (issue.code === 'invalid_union') {
    const [nearest] = [...issue.errors].sort((a, b) => deepest(b) - deepest(a) || missing(a) - missing(b));
    if (nearest !== undefined && nearest.length > 0) return nearest.flatMap((inner) => faultsOf(inner, path));
  }
  return [{ path, ...codeAndMessage(issue) }];
}

/** Number of fields that were not sent. The shape with the fewest missing fields explains the mistake best. */
function missing(issues: readonly Issue[]): number {
  return issues.filter(({ input }) => input === undefined).length;
}

function deepest(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length));
}

/** Code and message of the error for a value of the wrong type, by the expected type. */
const CONVERT: Readonly<Record<string, readonly [code: string, message: string]>> = {
  string: ['STRING_TYPE_CONVERT', 'Could not interpret the value as string.'],
  number: ['NUMBER_TYPE_COERCE', 'Value is not int.'],
  int: ['NUMBER_TYPE_COERCE', 'Value is not int.'],
  boolean: ['BOOLEAN_TYPE_CONVERT', 'Must be either true or false.'],
  array: ['LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType'],
  object: ['DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType'],
  record: ['DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType'],
};

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function codeAndMessage(issue: Issue): Pick<FieldFault, 'code' | 'message'> {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') {
    return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  }
  switch (issue.code) {
    case 'invalid_type': {
      const [code, message] = CONVERT[issue.expected] ?? ['BASE_TYPE_BAD_TYPE', `Must be ${issue.expected}.`];
      return { code, message };
    }
    case 'invalid_value':
      return {
        code: 'BASE_TYPE_CHOICES',
        message: `Value must be one of {${issue.values.map((one) => JSON.stringify(one)).join(', ')}}.`,
      };
    case 'custom': {
      const { code, message } = { ...issue.params };
      if (typeof code === 'string' && typeof message === 'string') return { code, message };
      return { code: 'BASE_TYPE_INVALID', message: sentence(issue.message) };
    }
    case 'invalid_union': {
      // The discriminating field has a value that none of the shapes has.
      const { options = [], discriminator } = issue as { options?: unknown[]; discriminator?: string };
      if (discriminator === undefined) return { code: 'BASE_TYPE_INVALID', message: sentence(issue.message) };
      const message = `Value of field "${discriminator}" must be one of (${options.join(', ')}).`;
      return { code: 'UNION_TYPE_CHOICES', message };
    }
    case 'unrecognized_keys':
      return { code: 'BASE_TYPE_UNKNOWN_KEY', message: `Unknown: ${issue.keys.slice(0, 8).join(', ')}.` };
    default:
      return { code: 'BASE_TYPE_INVALID', message: sentence(issue.message) };
  }
}
