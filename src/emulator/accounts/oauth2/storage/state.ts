import { isSnowflake } from '../../../../base/snowflake.ts';
import { isDeputy } from '../../../api/waiting-request.ts';
import type { SigningKey } from '../signing.ts';
import type { StoredFamily } from '../tokens.ts';
import type { Grant } from '../types.ts';

/** The state that survives a restart. Fields of newer versions, here or in records, are preserved. */
export interface StoredState {
  readonly grants: readonly Grant[];
  readonly tokens: readonly StoredFamily[];
  readonly keys: readonly SigningKey[];
}

/** A state without grants and tokens. */
export const emptyState: StoredState = { grants: [], tokens: [], keys: [] };

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 4096;
const isTime: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isHash: Check = (value) => typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value);
// The scope table is not consulted, because a release with more scopes may have written the file.
const isScope: Check = (value) => typeof value === 'string' && /^[a-z0-9._]{1,64}$/.test(value);
const isFamilyId: Check = (value) => typeof value === 'string' && /^[A-Za-z0-9]{1,64}$/.test(value);
const isBoolean: Check = (value) => typeof value === 'boolean';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Checks the named members of an object; other members are permitted. */
const record =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(members).every(([key, check]) =>
      check(Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined),
    );

const isDecider: Check = (value) => isNobody(value) || isUserDecision(value);
const isNobody = record({ kind: (kind) => kind === 'policy' || isDeputy(kind) });
const isUserDecision = record({
  kind: (kind) => kind === 'person',
  via: isText,
  program: optional(isText),
  pid: optional(isTime),
});

const isGrant = record({
  id: isText,
  userId: isSnowflake,
  clientId: isSnowflake,
  transport: isText,
  scopes: listOf(isScope),
  always: isBoolean,
  decidedBy: isDecider,
  grantedAt: isTime,
});

const isToken = record({ hash: isHash, expires: isTime });

const isFamily = record({
  id: optional(isFamilyId),
  userId: isSnowflake,
  clientId: isSnowflake,
  scopes: listOf(isScope),
  issuedAt: isTime,
  access: listOf(isToken),
  refresh: isToken,
  spent: listOf(isHash),
  parent: optional(isFamilyId),
  deputy: optional(isDeputy),
});

const isKey = record({ kty: (value) => value === 'RSA', kid: isText, n: isText, e: isText, d: isText });

const isState = record({ grants: listOf(isGrant), tokens: listOf(isFamily), keys: listOf(isKey) });

/** Whether a parsed value is a valid state, including every grant and token. */
export function isStoredState(value: unknown): value is StoredState {
  return isState(value);
}
