import type { Decider } from '../../api/waiting-request.ts';
import { typeableId } from '../consent/queue.ts';
import { OAuth2Error } from './error.ts';
import type { Grant } from './types.ts';

/**
 * The transport class of client credentials grants. It is separate because consent given on a socket does not cover the
 * use of a secret, nor the reverse.
 */
export const CLIENT_CREDENTIALS = 'client credentials';

/** Key of a grant. Another user, application or transport class has its own grants. */
export interface GrantKey {
  readonly userId: string;
  readonly clientId: string;
  readonly transport: string;
}

const maxGrants = 1024;
const maxPerKey = 16;

function sameKey(grant: Grant, key: GrantKey): boolean {
  return grant.userId === key.userId && grant.clientId === key.clientId && grant.transport === key.transport;
}

function covers(wide: readonly string[], narrow: readonly string[]): boolean {
  return narrow.every((scope) => wide.includes(scope));
}

/** Remembered consents. A grant covers exactly the scopes that were displayed together; two grants are never combined. */
export class GrantStore {
  #grants: Grant[];

  constructor(grants: readonly Grant[]) {
    this.#grants = [...grants];
  }

  list(): readonly Grant[] {
    return this.#grants;
  }

  find(id: string): Grant | undefined {
    return this.#grants.find((grant) => grant.id === id);
  }

  /**
   * A grant of the user that covers the scopes; with `always`, only a permanent grant. Grants that a policy or a secret
   * decided are only records and do not count.
   */
  covering(key: GrantKey, scopes: readonly string[], always: boolean): Grant | undefined {
    return this.#grants.find(
      (grant) =>
        sameKey(grant, key) && isFromUser(grant) && (grant.always || !always) && covers(grant.scopes, scopes),
    );
  }

  /** Whether any grant of the key covers the scopes, regardless of who decided it. */
  holds(key: GrantKey, scopes: readonly string[]): boolean {
    return this.#grants.some((grant) => sameKey(grant, key) && covers(grant.scopes, scopes));
  }

  /**
   * Rejects a request before its prompt if no further grant can be stored. New grants may replace grants that no user
   * decided, but not those of a user.
   */
  checkRoom(): void {
    if (this.#grants.length < maxGrants) return;
    if (this.#grants.some((grant) => !isFromUser(grant))) return;
    throw new OAuth2Error('access_denied', 'Too many grants are remembered; the user must revoke some.');
  }

  /** Records a consent. It replaces the grants of the same key that it covers. */
  record(
    key: GrantKey,
    consent: { scopes: readonly string[]; always: boolean; decidedBy: Decider; grantedAt: number },
  ): Grant {
    const grant: Grant = { id: typeableId((id) => this.find(id) !== undefined), ...key, ...consent };
    const remaining = this.#grants.filter((old) => !sameKey(old, key) || !replaces(grant, old));
    const siblings = remaining.filter((old) => sameKey(old, key));
    // Grants that no user decided are dropped first. Within each of the two classes, the oldest is dropped first.
    const first = [...siblings.filter((old) => !isFromUser(old)), ...siblings.filter(isFromUser)];
    const surplus = first.slice(0, Math.max(0, siblings.length - maxPerKey + 1));
    this.#grants = [...remaining.filter((old) => !surplus.includes(old)), grant];
    if (this.#grants.length > maxGrants) {
      const index = this.#grants.findIndex((old) => !isFromUser(old) && old !== grant);
      if (index >= 0) this.#grants.splice(index, 1);
    }
    return grant;
  }

  /** Deletes every grant of a user and an application, over all transports, and returns them. */
  remove(userId: string, clientId: string): readonly Grant[] {
    const removed = this.#grants.filter((grant) => grant.userId === userId && grant.clientId === clientId);
    this.#grants = this.#grants.filter((grant) => !removed.includes(grant));
    return removed;
  }
}

function isFromUser({ decidedBy }: Pick<Grant, 'decidedBy'>): boolean {
  return decidedBy.kind === 'person';
}

/**
 * Whether a grant replaces an older one. A wider consent replaces a narrower one, but "once" does not replace "always",
 * and a policy's grant does not replace a user's decision.
 */
function replaces(grant: Grant, old: Grant): boolean {
  if (!covers(grant.scopes, old.scopes)) return false;
  if (isFromUser(old) && !isFromUser(grant)) return false;
  return grant.always || !old.always;
}
