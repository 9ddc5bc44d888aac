import type { Decider } from '../../api/waiting-request.ts';
import { typeableId } from '../consent/queue.ts';
import { OAuth2Error } from './error.ts';
import type { Grant } from './types.ts';

/** The transport class of the grants of client credentials: consent given to an app on a socket says nothing about a secret, nor the other way round. */
export const CLIENT_CREDENTIALS = 'client credentials';

/** What a grant is looked up by. Another user, application or transport class is another grant. */
export interface GrantKey {
  readonly userId: string;
  readonly clientId: string;
  readonly transport: string;
}

const mostGrants = 1024;
const mostPerKey = 16;

function sameKey(grant: Grant, key: GrantKey): boolean {
  return grant.userId === key.userId && grant.clientId === key.clientId && grant.transport === key.transport;
}

function covers(wide: readonly string[], narrow: readonly string[]): boolean {
  return narrow.every((scope) => wide.includes(scope));
}

/**
 * Remembered consents. A grant holds exactly the scopes that were shown together: two grants never add up
 * to a third.
 */
export class GrantBook {
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
   * A grant given by a person that covers the scopes; with `always`, only one that was given for good.
   * What the policy or a secret granted is a record of the past and stands in for nobody.
   */
  covering(key: GrantKey, scopes: readonly string[], always: boolean): Grant | undefined {
    return this.#grants.find(
      (grant) =>
        sameKey(grant, key) && isOfPerson(grant) && (grant.always || !always) && covers(grant.scopes, scopes),
    );
  }

  /** Whether some grant of the key, whoever gave it, covers the scopes. */
  holds(key: GrantKey, scopes: readonly string[]): boolean {
    return this.#grants.some((grant) => sameKey(grant, key) && covers(grant.scopes, scopes));
  }

  /**
   * Refuses before anybody is asked when nothing more can be remembered. Records that no person made
   * give way; those of a person do not.
   */
  checkRoom(): void {
    if (this.#grants.length < mostGrants) return;
    if (this.#grants.some((grant) => !isOfPerson(grant))) return;
    throw new OAuth2Error('access_denied', 'Too many grants are remembered; the user must revoke some.');
  }

  /** Remembers a consent. It replaces the grants of the same key that it covers. */
  record(
    key: GrantKey,
    consent: { scopes: readonly string[]; always: boolean; decidedBy: Decider; grantedAt: number },
  ): Grant {
    const grant: Grant = { id: typeableId((id) => this.find(id) !== undefined), ...key, ...consent };
    const kept = this.#grants.filter((old) => !sameKey(old, key) || !replaces(grant, old));
    const siblings = kept.filter((old) => sameKey(old, key));
    // What no person decided gives way first, each kind in the order in which it was given.
    const first = [...siblings.filter((old) => !isOfPerson(old)), ...siblings.filter(isOfPerson)];
    const surplus = first.slice(0, Math.max(0, siblings.length - mostPerKey + 1));
    this.#grants = [...kept.filter((old) => !surplus.includes(old)), grant];
    if (this.#grants.length > mostGrants) {
      const index = this.#grants.findIndex((old) => !isOfPerson(old) && old !== grant);
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

function isOfPerson({ decidedBy }: Pick<Grant, 'decidedBy'>): boolean {
  return decidedBy.kind === 'person';
}

/** A consent for more takes the place of one for less, but "once" does not undo "always", nor policy a person. */
function replaces(grant: Grant, old: Grant): boolean {
  if (!covers(grant.scopes, old.scopes)) return false;
  if (isOfPerson(old) && !isOfPerson(grant)) return false;
  return grant.always || !old.always;
}
