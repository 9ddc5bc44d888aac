import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { OAuth2Error } from './error.ts';
import { digest, randomSecret } from './random.ts';

/** Lifetime of an access token in seconds. */
export const accessSeconds = 604_800;
/** A refresh token not used for 90 days is dead; the public documentation names no figure. */
const refreshSeconds = 90 * 86_400;

const mostFamilies = 4096;
const mostPerApplication = 32;
/** Access tokens alive at once, per family. */
const mostPerFamily = 16;

/** A refresh token is the family's id and a secret: whoever shows one of any age names the family it came from. */
const idLength = 10;
const refreshLength = 30;

/** A token as it is kept: only its SHA-256, and when it expires (milliseconds since the Unix epoch). */
export interface TokenRecord {
  readonly hash: string;
  readonly expires: number;
}

/** All tokens that descend from one authorization code. */
export interface TokenFamily {
  /** Names the family, and is no secret. */
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly issuedAt: number;
  /** Newest last; earlier ones live to their expiry, but no more than 16 at once. */
  readonly access: readonly TokenRecord[];
  readonly refresh: TokenRecord;
  /** Hashes of rotated refresh tokens that did not begin with the id: those of release 0.1.0. */
  readonly spent: readonly string[];
}

/** A family as it is kept: one that release 0.1.0 wrote has no id. */
export type StoredFamily = Omit<TokenFamily, 'id'> & { readonly id?: string };

/** The id of a family; where it was kept without one, the same at each load. */
export function familyId({ id, refresh }: StoredFamily): string {
  return id ?? createHash('sha256').update(refresh.hash).digest('hex').slice(0, idLength);
}

/** The two secrets of an answer; from here on only their hashes exist. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** What a refresh token turned out to be. */
export type Rotation =
  | { readonly kind: 'rotated'; readonly family: TokenFamily; readonly pair: TokenPair }
  /** Rotated away before: it is in two hands, so its family has been dropped. */
  | { readonly kind: 'replayed'; readonly family: TokenFamily }
  | { readonly kind: 'invalid' };

/** Access and refresh tokens, found by their hash. */
export class TokenVault {
  readonly #clock: Clock;
  #families: TokenFamily[];

  constructor(clock: Clock, families: readonly StoredFamily[]) {
    this.#clock = clock;
    this.#families = families.map((family) => ({ ...family, id: familyId(family) }));
  }

  families(): readonly TokenFamily[] {
    return this.#families;
  }

  #pair(id: string): { pair: TokenPair; access: TokenRecord; refresh: TokenRecord } {
    const now = this.#clock.now();
    const refreshToken = `${id}${randomSecret(refreshLength - idLength)}`;
    const pair = { accessToken: randomSecret(30), refreshToken };
    return {
      pair,
      access: { hash: digest(pair.accessToken), expires: now + accessSeconds * 1000 },
      refresh: { hash: digest(pair.refreshToken), expires: now + refreshSeconds * 1000 },
    };
  }

  /** Issues the first pair of a family. An application that collects more than 32 families loses its oldest. */
  issue(owner: { userId: string; clientId: string; scopes: readonly string[] }): TokenPair {
    const now = this.#clock.now();
    let families = this.#families.filter((family) => now < family.refresh.expires);
    const own = families.filter(
      (family) => family.userId === owner.userId && family.clientId === owner.clientId,
    );
    const oldest = own[0];
    if (oldest !== undefined && own.length >= mostPerApplication) {
      families = families.filter((family) => family !== oldest);
    }
    if (families.length >= mostFamilies) {
      throw new OAuth2Error('temporarily_unavailable', 'Too many tokens are alive; revoke some.');
    }
    const id = randomSecret(idLength);
    const { pair, access, refresh } = this.#pair(id);
    this.#families = [...families, { ...owner, id, issuedAt: now, access: [access], refresh, spent: [] }];
    return pair;
  }

  /**
   * Trades a refresh token for a new pair. One that has been traded before, however long ago, is a sign of theft
   * (RFC 9700 section 4.14): every token of its family dies. A token of another application is left alone.
   */
  rotate(refreshToken: string, clientId: string, userExists: (id: string) => boolean): Rotation {
    const now = this.#clock.now();
    const hash = digest(refreshToken);
    const own = this.#families.filter((family) => family.clientId === clientId);
    const family = own.find((candidate) => candidate.refresh.hash === hash);
    if (family === undefined) return this.#replay(own, refreshToken, hash);
    if (now >= family.refresh.expires || !userExists(family.userId)) return { kind: 'invalid' };
    const { pair, access, refresh } = this.#pair(family.id);
    const alive = family.access.filter((token) => now < token.expires);
    const next: TokenFamily = {
      ...family,
      access: [...alive, access].slice(-mostPerFamily),
      refresh,
      spent: refreshToken.startsWith(family.id) ? family.spent : [...family.spent, hash],
    };
    this.#families = this.#families.map((other) => (other === family ? next : other));
    return { kind: 'rotated', family: next, pair };
  }

  /** A refresh token that is not the current one of any of these families. */
  #replay(own: readonly TokenFamily[], refreshToken: string, hash: string): Rotation {
    const id = refreshToken.length === refreshLength ? refreshToken.slice(0, idLength) : undefined;
    const family = own.find((candidate) => candidate.id === id || candidate.spent.includes(hash));
    if (family === undefined) return { kind: 'invalid' };
    this.#families = this.#families.filter((other) => other !== family);
    return { kind: 'replayed', family };
  }

  /** Finds an access token, expired or not. */
  find(accessToken: string): { family: TokenFamily; token: TokenRecord } | undefined {
    const hash = digest(accessToken);
    for (const family of this.#families) {
      const token = family.access.find((candidate) => candidate.hash === hash);
      if (token !== undefined) return { family, token };
    }
    return undefined;
  }

  /** The family of an access or refresh token, whichever it is. */
  familyOf(token: string): TokenFamily | undefined {
    const hash = digest(token);
    return this.find(token)?.family ?? this.#families.find((family) => family.refresh.hash === hash);
  }

  /** Deletes every token of a user and an application. */
  remove(userId: string, clientId: string): void {
    this.#families = this.#families.filter(
      (family) => family.userId !== userId || family.clientId !== clientId,
    );
  }
}
