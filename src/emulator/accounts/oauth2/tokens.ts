import { createHash } from 'node:crypto';
import { expandScopes } from '../../../protocol/scope.ts';
import type { Deputy } from '../../api/waiting-request.ts';
import type { Clock } from '../../kernel/clock.ts';
import { digest, randomSecret } from '../../kernel/secrets.ts';
import { OAuth2Error } from './error.ts';

/** Lifetime of an access token in seconds. */
export const accessSeconds = 604_800;
/** Lifetime of an unused refresh token: 90 days, in seconds. The public documentation names no figure. */
const refreshSeconds = 90 * 86_400;

const maxFamilies = 4096;
const maxPerApplication = 32;
/** Maximum number of valid access tokens per family. */
const maxPerFamily = 16;

/**
 * Length of a family's id, in characters. A refresh token consists of the id and a secret, so even an old token
 * identifies its family.
 */
const idLength = 10;
const refreshLength = 30;

/**
 * A stored token: the SHA-256 of the token, and its expiry (milliseconds since the Unix epoch). The token itself is not
 * stored.
 */
export interface TokenRecord {
  readonly hash: string;
  readonly expires: number;
}

/** All tokens that descend from one authorization code. */
export interface TokenFamily {
  /** Identifies the family; the id is not secret. */
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly issuedAt: number;
  /** Access tokens, newest last. Earlier tokens stay valid until their expiry; at most 16 are valid at once. */
  readonly access: readonly TokenRecord[];
  readonly refresh: TokenRecord;
  /** Hashes of rotated refresh tokens that do not begin with the family's id, as release 0.1.0 issued them. */
  readonly spent: readonly string[];
  /**
   * Id of the publisher's family whose token was exchanged for this family. This family ends together with that one.
   */
  readonly parent?: string;
  /**
   * The deputy who allowed the family on the user's behalf: the user must confirm it before it is used in the client.
   */
  readonly deputy?: Deputy;
}

/** A stored family; release 0.1.0 saved no id. */
export type StoredFamily = Omit<TokenFamily, 'id'> & { readonly id?: string };

/** The id of a family. A family that was stored without an id gets the same id at each load. */
export function familyId({ id, refresh }: StoredFamily): string {
  return id ?? createHash('sha256').update(refresh.hash).digest('hex').slice(0, idLength);
}

/**
 * Number of valid access tokens of a family. It is 1 where all have expired, because the refresh token can produce a
 * new one.
 */
export function livingTokens({ access, refresh }: TokenFamily, now: number): number {
  return access.filter(({ expires }) => now < expires).length || (now < refresh.expires ? 1 : 0);
}

/** The secrets of a token response. Only their hashes are stored. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The owner of tokens. */
export interface TokenOwner {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** Result of a token rotation. */
export type Rotation =
  | { readonly kind: 'rotated'; readonly family: TokenFamily; readonly pair: TokenPair }
  /** The token was rotated before, so it has leaked: its family has been dropped. */
  | { readonly kind: 'replayed'; readonly family: TokenFamily; readonly children: readonly TokenFamily[] }
  | { readonly kind: 'invalid' };

/**
 * Tokens that were evicted for newer ones while still valid: a whole family or, with `token`, only the access token
 * with that hash.
 */
export interface Evicted {
  readonly family: TokenFamily;
  readonly token?: string;
}

/** Access and refresh tokens, by their hashes. */
export class TokenStore {
  readonly #clock: Clock;
  readonly #evicted: (evicted: Evicted) => void;
  /** By id, oldest first. */
  readonly #families = new Map<string, TokenFamily>();
  /** Ids of families by the hash of each valid token. */
  readonly #byHash = new Map<string, string>();
  /** Ids of the families of a user and an application, oldest first. */
  readonly #byOwner = new Map<string, Set<string>>();
  /** Ids of families that were exchanged for a token of a parent family, by the parent's id. */
  readonly #children = new Map<string, Set<string>>();

  /** @param evicted called for each token after its eviction */
  constructor(
    clock: Clock,
    families: readonly StoredFamily[],
    evicted: (evicted: Evicted) => void = () => {},
  ) {
    this.#clock = clock;
    this.#evicted = evicted;
    const ids = new Set(families.map(familyId));
    for (const family of families) {
      // A family whose parent was revoked ends as well, even if only the parent's revocation was marked.
      if (family.parent === undefined || ids.has(family.parent)) {
        this.#put({ ...family, id: familyId(family) });
      }
    }
  }

  families(): readonly TokenFamily[] {
    return [...this.#families.values()];
  }

  /**
   * Issues the first pair of a family. If the application then has more than 32 families of the user, it loses the
   * oldest.
   */
  issue(owner: TokenOwner): TokenPair {
    const id = randomSecret(idLength);
    const { pair, access, refresh } = this.#pair(id);
    this.#add(owner, { id, access, refresh });
    return pair;
  }

  /** Issues an access token that cannot be renewed; `deputy` allowed it on the user's behalf. */
  issueAccess(owner: TokenOwner & { readonly deputy?: Deputy | undefined }): string {
    const id = randomSecret(idLength);
    const { pair, access, refresh } = this.#pair(id);
    // The family's refresh token is never disclosed, so the family ends with its access token.
    this.#add(owner, {
      id,
      access,
      refresh: { ...refresh, expires: access.expires },
      deputy: owner.deputy,
    });
    return pair.accessToken;
  }

  /**
   * Issues an access token of a game in exchange for a token of the game's publisher. The game's token ends with the
   * publisher's token and cannot be renewed; `deputy` allowed it on the user's behalf.
   */
  issueChild(
    parent: { family: TokenFamily; token: TokenRecord },
    { clientId, deputy }: { readonly clientId: string; readonly deputy: Deputy | undefined },
  ): string {
    const id = randomSecret(idLength);
    const { pair, access, refresh } = this.#pair(id);
    const { expires } = parent.token;
    const { userId, scopes } = parent.family;
    this.#add(
      { userId, clientId, scopes },
      {
        id,
        access: { ...access, expires },
        refresh: { ...refresh, expires },
        parent: parent.family.id,
        deputy,
      },
    );
    return pair.accessToken;
  }

  #add(
    { userId, clientId, scopes }: TokenOwner,
    {
      id,
      access,
      refresh,
      parent,
      deputy,
    }: Pick<TokenFamily, 'id' | 'refresh' | 'parent'> & {
      readonly access: TokenRecord;
      readonly deputy?: Deputy | undefined;
    },
  ): void {
    const now = this.#clock.now();
    if (this.#families.size >= maxFamilies) this.#dropDead(now);
    const own = this.#byOwner.get(`${userId} ${clientId}`) ?? new Set();
    const [oldest] = own;
    if (oldest !== undefined && own.size >= maxPerApplication) {
      for (const family of this.removeFamily(oldest)) this.#evicted({ family });
    }
    if (this.#families.size >= maxFamilies) {
      throw new OAuth2Error('temporarily_unavailable', 'Too many tokens are alive; revoke some.');
    }
    const family = { id, userId, clientId, scopes, issuedAt: now, access: [access], refresh, spent: [] };
    this.#put({
      ...family,
      ...(parent === undefined ? {} : { parent }),
      ...(deputy === undefined ? {} : { deputy }),
    });
  }

  /**
   * Exchanges a refresh token for a new pair. A token that was exchanged before, however long ago, indicates theft (RFC
   * 9700 section 4.14), so every token of its family is revoked. A token of another application is ignored.
   */
  rotate(refreshToken: string, clientId: string, userExists: (id: string) => boolean): Rotation {
    const now = this.#clock.now();
    const hash = digest(refreshToken);
    const family = this.#families.get(this.#byHash.get(hash) ?? '');
    if (family?.clientId !== clientId || family.refresh.hash !== hash) {
      return this.#replay(clientId, refreshToken, hash);
    }
    if (now >= family.refresh.expires || !userExists(family.userId)) return { kind: 'invalid' };
    const { pair, access, refresh } = this.#pair(family.id);
    const alive = [...family.access.filter((token) => now < token.expires), access];
    const next: TokenFamily = {
      ...family,
      access: alive.slice(-maxPerFamily),
      refresh,
      spent: refreshToken.startsWith(family.id) ? family.spent : [...family.spent, hash],
    };
    this.#put(next);
    for (const { hash: token } of alive.slice(0, -maxPerFamily)) this.#evicted({ family: next, token });
    return { kind: 'rotated', family: next, pair };
  }

  /** Handles a refresh token that is not the current one of any family of the application. */
  #replay(clientId: string, refreshToken: string, hash: string): Rotation {
    const named =
      refreshToken.length === refreshLength ? this.#families.get(refreshToken.slice(0, idLength)) : undefined;
    const family =
      named?.clientId === clientId
        ? named
        : this.families().find((one) => one.clientId === clientId && one.spent.includes(hash));
    if (family === undefined) return { kind: 'invalid' };
    return { kind: 'replayed', family, children: this.#drop(family.id) };
  }

  /** Finds an access token, expired or not. */
  find(accessToken: string): { family: TokenFamily; token: TokenRecord } | undefined {
    const hash = digest(accessToken);
    const family = this.#families.get(this.#byHash.get(hash) ?? '');
    const token = family?.access.find((candidate) => candidate.hash === hash);
    return family === undefined || token === undefined ? undefined : { family, token };
  }

  /** The family of an access or refresh token; undefined for an unknown token. */
  familyOf(token: string): TokenFamily | undefined {
    return this.#families.get(this.#byHash.get(digest(token)) ?? '');
  }

  /**
   * Whether an application has a token of a user, valid or not; with `scope`, only tokens that include the scope count.
   */
  holds(userId: string, clientId: string, scope?: string): boolean {
    const ids = this.#byOwner.get(`${userId} ${clientId}`);
    if (ids === undefined || scope === undefined) return ids !== undefined;
    return [...ids].some((id) => expandScopes(this.#families.get(id)?.scopes ?? []).includes(scope));
  }

  /** Deletes every token of a user and an application, and the tokens of games that depend on them (`children`). */
  remove(
    userId: string,
    clientId: string,
  ): { readonly families: readonly TokenFamily[]; readonly children: readonly TokenFamily[] } {
    const ids = [...(this.#byOwner.get(`${userId} ${clientId}`) ?? [])];
    const families = ids.flatMap((id) => this.#families.get(id) ?? []);
    return { families, children: ids.flatMap((id) => this.#drop(id)) };
  }

  /**
   * Deletes the tokens of a family, and of the families of games that depend on it. Returns all these families, the
   * given one first.
   */
  removeFamily(id: string): readonly TokenFamily[] {
    const family = this.#families.get(id);
    return family === undefined ? [] : [family, ...this.#drop(id)];
  }

  #pair(id: string): { pair: TokenPair; access: TokenRecord; refresh: TokenRecord } {
    const now = this.#clock.now();
    const refreshToken = `${id}${randomSecret(refreshLength - idLength)}`;
    const accessToken = randomSecret(30);
    return {
      pair: { accessToken, refreshToken },
      access: { hash: digest(accessToken), expires: now + accessSeconds * 1000 },
      refresh: { hash: digest(refreshToken), expires: now + refreshSeconds * 1000 },
    };
  }

  /** Replaces the family with this id, or appends it. */
  #put(family: TokenFamily): void {
    const { id, userId, clientId, access, refresh } = family;
    this.#forgetHashes(this.#families.get(id));
    this.#families.set(id, family);
    for (const { hash } of [...access, refresh]) this.#byHash.set(hash, id);
    const owner = `${userId} ${clientId}`;
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Set()).add(id));
    const { parent } = family;
    if (parent === undefined) return;
    this.#children.set(parent, (this.#children.get(parent) ?? new Set()).add(id));
  }

  /** Drops a family and its dependent families; returns the dependent ones. */
  #drop(id: string): readonly TokenFamily[] {
    const family = this.#families.get(id);
    if (family === undefined) return [];
    this.#forgetHashes(family);
    this.#families.delete(id);
    const owner = `${family.userId} ${family.clientId}`;
    const own = this.#byOwner.get(owner);
    own?.delete(id);
    if (own?.size === 0) this.#byOwner.delete(owner);
    this.#children.get(family.parent ?? '')?.delete(id);
    const children = [...(this.#children.get(id) ?? [])].flatMap((child) => this.#families.get(child) ?? []);
    for (const child of children) this.#drop(child.id);
    this.#children.delete(id);
    return children;
  }

  #forgetHashes(family: TokenFamily | undefined): void {
    for (const { hash } of family === undefined ? [] : [...family.access, family.refresh]) {
      this.#byHash.delete(hash);
    }
  }

  #dropDead(now: number): void {
    for (const { id, refresh } of this.families()) if (now >= refresh.expires) this.#drop(id);
  }
}
