import { ALL_PERMISSIONS, bitsOf } from '../../kernel/permission-bits.ts';

/** What an overwrite of a channel says, as bits. */
export interface Overwrite {
  readonly allow: bigint;
  readonly deny: bigint;
}

/** Somebody in a guild. Whoever is no member has no permissions, and is none of these. */
export interface Subject {
  readonly isOwner: boolean;
  /** Bits of the role that everybody has. */
  readonly everyone: bigint;
  /** Bits of each other role of theirs. */
  readonly roles: readonly bigint[];
  /** May only look for a while, or because of what they are called. */
  readonly isTimedOut: boolean;
}

/** Where: a channel as far as it decides what somebody may. */
export interface Setting {
  /** Voice and stage channels ask for CONNECT; in threads another right opens the mouth. */
  readonly kind: 'text' | 'voice' | 'thread';
  /** Of a thread, those of its channel. */
  readonly overwrites: {
    readonly everyone?: Overwrite | undefined;
    /** Those for the subject's roles. */
    readonly roles: readonly Overwrite[];
    readonly user?: Overwrite | undefined;
  };
}

const ADMINISTRATOR = bitsOf('ADMINISTRATOR');
/** All that is left to somebody who is timed out. */
const LOOKING = bitsOf('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY');
const VIEW_CHANNEL = bitsOf('VIEW_CHANNEL');
const CONNECT = bitsOf('CONNECT');
const SEND_MESSAGES = bitsOf('SEND_MESSAGES');
const SEND_MESSAGES_IN_THREADS = bitsOf('SEND_MESSAGES_IN_THREADS');
/** What nobody has who may not write. */
const WRITING = bitsOf('MENTION_EVERYONE', 'SEND_TTS_MESSAGES', 'ATTACH_FILES', 'EMBED_LINKS');
/** What nobody has who may not connect. */
const TALKING = bitsOf(
  'PRIORITY_SPEAKER',
  'STREAM',
  'SPEAK',
  'MUTE_MEMBERS',
  'DEAFEN_MEMBERS',
  'MOVE_MEMBERS',
  'USE_VAD',
  'REQUEST_TO_SPEAK',
  'USE_EMBEDDED_ACTIVITIES',
  'USE_SOUNDBOARD',
  'USE_EXTERNAL_SOUNDS',
  'SET_VOICE_CHANNEL_STATUS',
);

/** What somebody may in a guild as such. */
export function inGuild(subject: Subject): bigint {
  const base = rolesOf(subject);
  return subject.isTimedOut && base !== ALL_PERMISSIONS ? base & LOOKING : base;
}

/** What the overwrites of a channel leave or give somebody, before anything follows from what is missing. */
export function explicitIn(subject: Subject, { overwrites }: Setting): bigint {
  const base = rolesOf(subject);
  if (base === ALL_PERMISSIONS) return base;
  const { everyone, roles, user } = overwrites;
  // All roles together: what one of them allows, another does not take away.
  const together = roles.reduce(
    (all, one) => ({ allow: all.allow | one.allow, deny: all.deny | one.deny }),
    NOTHING,
  );
  return [everyone, together, user].reduce((bits, one) => applied(bits, one ?? NOTHING), base);
}

/** What somebody may in a channel. */
export function inChannel(subject: Subject, setting: Setting): bigint {
  const explicit = explicitIn(subject, setting);
  if (explicit === ALL_PERMISSIONS && rolesOf(subject) === ALL_PERMISSIONS) return explicit;
  if ((explicit & VIEW_CHANNEL) === 0n) return 0n;
  const writes = setting.kind === 'thread' ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES;
  let bits = explicit;
  if ((bits & writes) === 0n) bits &= ~WRITING;
  if (setting.kind === 'voice' && (bits & CONNECT) === 0n) bits &= ~TALKING;
  return subject.isTimedOut ? bits & LOOKING : bits;
}

const NOTHING: Overwrite = { allow: 0n, deny: 0n };

/** Owner and administrators may everything, whatever a channel says. */
function rolesOf({ isOwner, everyone, roles }: Subject): bigint {
  const bits = roles.reduce((all, one) => all | one, everyone);
  return isOwner || (bits & ADMINISTRATOR) !== 0n ? ALL_PERMISSIONS : bits & ALL_PERMISSIONS;
}

function applied(bits: bigint, { allow, deny }: Overwrite): bigint {
  return (bits & ~deny) | (allow & ALL_PERMISSIONS);
}
