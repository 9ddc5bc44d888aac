import type { SchemaNode } from '../../../base/schema-node.ts';
import {
  addressWithoutSecrets,
  decoded,
  parametersWithoutSecrets,
  partsOf,
  requestWithoutSecrets,
} from '../../../journal/addresses.ts';
import { declaredText, takesText } from '../../../journal/declared.ts';
import { HIDDEN } from '../../../journal/secret-names.ts';
import { proseWithoutSecrets } from '../../../journal/without-secrets.ts';
import type { Operation } from '../../api/operation.ts';
import { schemaNode } from '../../api/schema-node.ts';
import { isIdParam } from './id-params.ts';

/**
 * Path parameters with public names or numbers. Every other parameter that is not an id grants access, so it is hidden.
 */
const PUBLIC_PARAMS: ReadonlySet<string> = new Set([
  'action_type',
  'emoji_name',
  'filename',
  'instance_id',
  'provider_type',
  'user_id_1',
  'user_id_2',
]);
/** Names that may replace an id in a path. */
const STANDS_FOR_ID: ReadonlySet<string> = new Set(['@me', '@original']);
/** Segments of paths that are shown although no operation declares them. */
const FIRST: ReadonlySet<string> = new Set(['api', '@me', '@original']);

/**
 * Path and query of a request without secrets. For a declared operation, it shows the declared values. For any other
 * request, it shows only the parts that cannot be secrets.
 */
export function requestAddress(
  url: string,
  operation: Operation | undefined,
  literals: ReadonlySet<string>,
): string {
  const { path, query } = partsOf(url);
  if (operation === undefined) {
    return requestWithoutSecrets(url, (segment) => FIRST.has(segment) || literals.has(segment));
  }
  const schema = operation.query && schemaNode(operation.query, 'input');
  const parameters = parametersWithoutSecrets(query.slice(1), (name, value) => {
    // A boolean cannot be a secret, so it is always shown.
    if (value === 'true' || value === 'false') return true;
    if (schema === undefined || !takesText(schema, name, value)) return false;
    // A value may be an address with its own secrets.
    return (
      proseWithoutSecrets(value) === value && addressWithoutSecrets(value, Number.POSITIVE_INFINITY) === value
    );
  });
  return [pathText(path, operation.path), query.slice(0, 1) + parameters].join('');
}

function pathText(path: string, template: string): string {
  const names = template.split('/').slice(1);
  const segments = path.split('/');
  // The segments before the declared ones are `/api` and the version.
  const base = segments.slice(0, -names.length);
  const visible = segments.slice(-names.length).map((segment, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(names[index] ?? '') ?? [];
    if (name === undefined) return names[index] === segment ? segment : HIDDEN;
    const plain = decoded(segment);
    if (isIdParam(name)) return /^\d{1,20}$/.test(plain) || STANDS_FOR_ID.has(plain) ? segment : HIDDEN;
    return PUBLIC_PARAMS.has(name) && proseWithoutSecrets(plain) === plain ? segment : HIDDEN;
  });
  return [...base, ...visible].join('/');
}

/** Body of a request, with the fields that the operation declares. */
export function requestText(text: string, operation: Operation | undefined): string {
  const schema = operation?.body?.schema;
  return declaredText(text, schema && schemaNode(schema, 'input'));
}

/**
 * Body of a reply, with the fields that the operation declares for this status. A status without a declaration has the
 * form of a refusal.
 */
export function answerText(text: string, operation: Operation | undefined, status: number): string {
  const schema = operation?.answers[status];
  return declaredText(text, schema ? schemaNode(schema, 'output') : REFUSAL);
}

const SENTENCE: SchemaNode = { type: 'string', format: 'sentence' };
const CODE: SchemaNode = { type: ['integer', 'string'] };

/**
 * A refusal in the API's own form or in that of RFC 6749. The errors of fields are under the fields' names, at any
 * depth.
 */
const REFUSAL: SchemaNode = {
  type: 'object',
  properties: {
    message: SENTENCE,
    code: CODE,
    errors: { $ref: '#/$defs/errors' },
    retry_after: { type: 'number' },
    global: { type: 'boolean' },
    error: { type: 'string' },
    error_description: SENTENCE,
  },
  $defs: {
    errors: {
      type: 'object',
      properties: {
        _errors: { type: 'array', items: { type: 'object', properties: { code: CODE, message: SENTENCE } } },
      },
      additionalProperties: { $ref: '#/$defs/errors' },
    },
  },
};
