import type { IncomingMessage } from 'node:http';
import { BY_HAND_HEADER } from '../../../journal/original.ts';
import { proseWithoutSecrets } from '../../../journal/without-secrets.ts';
import { ERROR_CODES } from '../../api/error-codes.ts';
import type { Answer, Operation } from '../../api/operation.ts';
import { schemaNode } from '../../api/schema-node.ts';
import type { Violations } from '../../api/violations.ts';
import { requestAddress } from './exchange-text.ts';
import { unknownFields } from './request-fields.ts';

/** What is known of a request when its reply is ready. */
export interface SeenRequest {
  operation?: Operation;
  /** Methods of the route, where the route exists with others alone. */
  allowed?: readonly string[];
  query?: unknown;
  body?: unknown;
}

/** A deprecated field, with what replaces it, and the value that asks for nothing. */
interface Deprecated {
  readonly of: RegExp;
  readonly field: string;
  readonly use: string;
  readonly unless?: unknown;
}

/** Deprecated fields of requests, by the ids of operations. A field beside its replacement is for older versions. */
export const DEPRECATED: readonly Deprecated[] = [
  { of: /application_command/, field: 'dm_permission', use: 'contexts', unless: true },
  {
    of: /application_command/,
    field: 'default_permission',
    use: 'default_member_permissions',
    unless: true,
  },
  { of: /^ban_user_from_guild$/, field: 'delete_message_days', use: 'delete_message_seconds', unless: 0 },
  { of: /_guild_role$/, field: 'color', use: 'colors', unless: 0 },
  { of: /^update_guild$/, field: 'region', use: 'rtc_region' },
];
/** Beginning of the ids of operations with deprecated routes, as the public document has them. */
const DEPRECATED_ROUTE = 'deprecated_';

const [ACKNOWLEDGED_ALREADY] = ERROR_CODES.InteractionHasAlreadyBeenAcknowledged;
const TOO_MANY = 429;
const NOT_OFFERED = 501;
/** Maximum number of violations of one request, and maximum length of a text in one (characters). */
const MAX_FIELDS = 8;
const MAX_TEXT = 300;

/** Records what strict mode forbids in a request and its reply. `literals` are the path segments that the place contains. */
export function examine(
  violations: Violations,
  request: IncomingMessage,
  seen: SeenRequest,
  reply: Answer,
  literals: ReadonlySet<string>,
): void {
  const { operation } = seen;
  // A page is for the browser of a person, and a request by hand is the operator's.
  if (operation?.isPage || request.headers[BY_HAND_HEADER] !== undefined || isIcon(request)) return;
  const where = placeOf(request, operation, literals);
  const { status } = reply;
  if (operation === undefined && (status === 404 || status === 405)) {
    const others = seen.allowed === undefined ? '' : `; it has ${seen.allowed.join(', ')}`;
    violations.add('unknown-route', `the platform has no such route${others}`, where);
    return;
  }
  if (operation !== undefined) {
    for (const path of fieldsIn(operation, seen).slice(0, MAX_FIELDS))
      violations.add('unknown-field', `there is no field "${path}"`, where);
    for (const what of deprecationsIn(operation, seen)) violations.add('deprecated', what, where);
  }
  if (status === NOT_OFFERED) violations.add('not-offered', refusalText(reply), where);
  else if (codeOf(reply) === ACKNOWLEDGED_ALREADY)
    violations.add('second-acknowledgement', refusalText(reply), where);
  else if (status >= 400 && status < 500 && status !== TOO_MANY)
    violations.add('unhandled-refusal', refusalText(reply), where);
}

/** Browsers request this file by themselves. */
function isIcon({ url }: IncomingMessage): boolean {
  return url === '/favicon.ico';
}

/** A request without secrets, below `/api` and the version: `GET /users/1 (get_user)`. */
function placeOf(
  { url = '', method }: IncomingMessage,
  operation: Operation | undefined,
  literals: ReadonlySet<string>,
): string {
  const [path = ''] = requestAddress(url, operation, literals).split('?', 1);
  const below = path.replace(/^\/api(?:\/v\d{1,4})?(?=\/)/, '');
  return `${method} ${below}${operation === undefined ? '' : ` (${operation.id})`}`;
}

/** Paths of the unknown fields. RFC 6749 has unknown parameters of its own endpoints ignored. */
function fieldsIn(operation: Operation, { query, body }: SeenRequest): readonly string[] {
  if (operation.errors === 'oauth2') return [];
  const { query: ofUrl, body: declared } = operation;
  const ofQuery = unknownFields(ofUrl ? schemaNode(ofUrl, 'input') : NO_FIELDS, query ?? {}, operation);
  const ofBody =
    declared === undefined ? [] : unknownFields(schemaNode(declared.schema, 'input'), body, operation);
  return [...ofQuery.map((path) => `?${path}`), ...ofBody];
}

const NO_FIELDS = { type: 'object', properties: {} } as const;

function deprecationsIn({ id }: Operation, { query, body }: SeenRequest): readonly string[] {
  const route = id.startsWith(DEPRECATED_ROUTE) ? ['the route is deprecated'] : [];
  const fields = DEPRECATED.filter(({ of }) => of.test(id)).flatMap(({ field, use, unless }) =>
    [query, body].flat().some((sent: unknown) => asksFor(sent, field, use, unless))
      ? [`the field "${field}" is deprecated; "${use}" replaces it`]
      : [],
  );
  return [...route, ...fields];
}

function asksFor(sent: unknown, field: string, use: string, unless: unknown): boolean {
  if (typeof sent !== 'object' || sent === null || !Object.hasOwn(sent, field)) return false;
  const value: unknown = Reflect.get(sent, field);
  return value !== null && value !== unless && !Object.hasOwn(sent, use);
}

function bodyOf(reply: Answer): Readonly<Record<string, unknown>> {
  const body: unknown = 'body' in reply ? reply.body : undefined;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function codeOf(reply: Answer): unknown {
  return bodyOf(reply)['code'];
}

/** Status, code and message of a refusal, with the first field that it names. */
function refusalText(reply: Answer): string {
  const { code, message, error, errors } = bodyOf(reply);
  const texts = [code || error, message].flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' ? [one] : [],
  );
  const field = firstError(errors, []);
  return proseWithoutSecrets(
    `${reply.status} ${texts.join(' ')}${field === undefined ? '' : ` (${field})`}`.slice(0, MAX_TEXT),
  ).trimEnd();
}

/** The first error of a field, with its path. */
function firstError(errors: unknown, path: readonly string[]): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined;
  for (const [name, inner] of Object.entries(errors)) {
    if (name === '_errors') return `${path.join('.')}: ${String(Reflect.get(Object(inner?.[0]), 'message'))}`;
    const found = firstError(inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
