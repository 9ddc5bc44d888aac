import { RelationshipType } from './enums.ts';
import { member, numberOf, objectsOf, text } from './raw.ts';
import type { Raw } from './service.ts';

/** Relationship of a user with the player. */
export interface Bond {
  readonly type: number;
  /** In this game; only the service sends it. */
  readonly gameType: number;
  /** Whether the service classifies the user's request as spam. */
  readonly isSpam: boolean;
}

/** Status and activities of a user. */
export interface Presence {
  readonly status: string;
  readonly activities: readonly Raw[];
}

/** Data of a user besides the account, for a new handle. */
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
/** Presence of a user without any received. */
export const ABSENT: Presence = { status: 'offline', activities: [] };
/** Host of the platform's images, unless a chat client sends another. */
export const CDN = 'cdn.discordapp.com';
/** Data of a user without any received. */
export const STRANGER: Known = { bond: NO_BOND, presence: ABSENT, applicationId: 0n, cdn: CDN };

/** A host from a chat client; undefined for an invalid one. */
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

/** A relationship from the service. */
export function bondOf(raw: Raw, kind: 'type' | 'gameType', before: Bond = NO_BOND): Bond {
  const type = numberOf(raw['type']);
  if (kind === 'gameType') return { ...before, gameType: type };
  return { ...before, type, isSpam: raw['is_spam_request'] === true };
}
