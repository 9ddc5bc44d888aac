import { RelationshipType } from './enums.ts';
import { member, numberOf, objectsOf, text } from './raw.ts';
import type { Raw } from './service.ts';

/** What somebody is to the player. */
export interface Bond {
  readonly type: number;
  /** In this game, which only the service tells. */
  readonly gameType: number;
  /** Whether the service takes their request for spam. */
  readonly isSpam: boolean;
}

/** Whether somebody is there, and what they do. */
export interface Presence {
  readonly status: string;
  readonly activities: readonly Raw[];
}

/** What is known of somebody besides their account, when a handle of them is made. */
export interface Known {
  readonly bond: Bond;
  readonly presence: Presence;
  /** Whose game is looked for among what they do. */
  readonly applicationId: bigint;
  /** The host of their picture. */
  readonly cdn: string;
}

/** What nobody is. */
export const NO_BOND: Bond = { type: RelationshipType.None, gameType: RelationshipType.None, isSpam: false };
/** Of somebody of whom nothing is told. */
export const ABSENT: Presence = { status: 'offline', activities: [] };
/** Where the platform has pictures, unless a chat client names another place. */
export const CDN = 'cdn.discordapp.com';
/** Of somebody of whom nothing else is known. */
export const STRANGER: Known = { bond: NO_BOND, presence: ABSENT, applicationId: 0n, cdn: CDN };

/** A host as a chat client names it; undefined for what is none. */
export function hostOf(named: unknown): string | undefined {
  const host = text(named);
  return /^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i.test(host) ? host : undefined;
}

/** A presence as the gateway tells it. */
export function presenceOf(told: unknown): Presence {
  return {
    status: text(member(told, 'status')) || ABSENT.status,
    activities: objectsOf(member(told, 'activities')),
  };
}

/** What the service tells that somebody is. */
export function bondOf(told: Raw, kind: 'type' | 'gameType', before: Bond = NO_BOND): Bond {
  const type = numberOf(told['type']);
  if (kind === 'gameType') return { ...before, gameType: type };
  return { ...before, type, isSpam: told['is_spam_request'] === true };
}
