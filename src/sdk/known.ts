import { RelationshipType } from './enums.ts';
import { member, numberOf, objectsOf, type Raw, text } from './raw.ts';

/** Relationship of a user with the player. */
export interface Bond {
  readonly type: number;
  /** Relationship type in this game; only the service sends it. */
  readonly gameType: number;
  /** Whether the service classifies the user's request as spam. */
  readonly isSpam: boolean;
}

/** Status and activities of a user. */
export interface Presence {
  readonly status: string;
  readonly activities: readonly Raw[];
}

/** Data of a user in addition to the account, from which handles are created. */
export interface Known {
  readonly bond: Bond;
  readonly presence: Presence;
  /** The application whose activity `GameActivity` returns. */
  readonly applicationId: bigint;
  /** Host of the user's avatar. */
  readonly cdn: string;
}

/** No relationship. */
export const NO_BOND: Bond = { type: RelationshipType.None, gameType: RelationshipType.None, isSpam: false };
/** Presence of a user for whom the client has received none. */
export const ABSENT: Presence = { status: 'offline', activities: [] };
/** Host of the platform's images, unless a chat client sends another host. */
export const CDN = 'cdn.discordapp.com';
/** Data of a user for whom the client has received none. */
export const STRANGER: Known = { bond: NO_BOND, presence: ABSENT, applicationId: 0n, cdn: CDN };

/** Returns the image host that a chat client sent; undefined for an invalid host. */
export function hostOf(named: unknown): string | undefined {
  const host = text(named);
  return /^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i.test(host) ? host : undefined;
}

/** A presence from the gateway. */
export function presenceOf(raw: unknown): Presence {
  return {
    status: text(member(raw, 'status')) || ABSENT.status,
    activities: objectsOf(member(raw, 'activities')),
  };
}

/** Returns a relationship from the service, merged with the previous relationship of the other kind. */
export function bondOf(raw: Raw, kind: 'type' | 'gameType', before: Bond = NO_BOND): Bond {
  const type = numberOf(raw['type']);
  if (kind === 'gameType') return { ...before, gameType: type };
  return { ...before, type, isSpam: raw['is_spam_request'] === true };
}
