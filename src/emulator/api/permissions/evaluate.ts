import { ALL_PERMISSIONS, bitsOf } from '../../kernel/permission-bits.ts';

/** A permission overwrite of a channel, as bits. */
export interface Overwrite {
  readonly allow: bigint;
  readonly deny: bigint;
}

/** A member of a guild. Non-members have no permissions. */
export interface Subject {
  readonly isOwner: boolean;
  /** Bits of the `@everyone` role. */
  readonly everyone: bigint;
  /** Bits of each role of the member, without @everyone. */
  readonly roles: readonly bigint[];
  /** True for a member who may only read: timed out, quarantined for the username, or not let in yet. */
  readonly isTimedOut: boolean;
}

/** The properties of a channel that affect permissions. */
export interface Setting {
  /** Kind of the channel. Voice and stage channels require CONNECT; threads have their own permission to send. */
  readonly kind: 'text' | 'voice' | 'thread';
  /** Permission overwrites of the channel; for a thread, those of its parent channel. */
  readonly overwrites: {
    readonly everyone?: Overwrite | undefined;
    /** Those of the member's roles. */
    readonly roles: readonly Overwrite[];
    readonly user?: Overwrite | undefined;
  };
}

const ADMINISTRATOR = bitsOf('ADMINISTRATOR');
/** Permissions that remain for a timed-out member. */
const LOOKING = bitsOf('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY');
const VIEW_CHANNEL = bitsOf('VIEW_CHANNEL');
const CONNECT = bitsOf('CONNECT');
const SEND_MESSAGES = bitsOf('SEND_MESSAGES');
const SEND_MESSAGES_IN_THREADS = bitsOf('SEND_MESSAGES_IN_THREADS');
/** Permissions that require the permission to send messages. */
const WRITING = bitsOf('MENTION_EVERYONE', 'SEND_TTS_MESSAGES', 'ATTACH_FILES', 'EMBED_LINKS');
/** Permissions that require CONNECT. */
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

/** A member's permissions in the guild itself. */
export function inGuild(subject: Subject): bigint {
  const base = rolesOf(subject);
  return subject.isTimedOut && base !== ALL_PERMISSIONS ? base & LOOKING : base;
}

/**
 * A member's permissions after the overwrites of a channel. Denials that follow from other missing permissions are not
 * applied.
 */
export function explicitIn(subject: Subject, { overwrites }: Setting): bigint {
  const base = rolesOf(subject);
  if (base === ALL_PERMISSIONS) return base;
  const { everyone, roles, user } = overwrites;
  // The overwrites of all roles are combined: an allow of one role takes precedence over a deny of another.
  const together = roles.reduce(
    (all, one) => ({ allow: all.allow | one.allow, deny: all.deny | one.deny }),
    NOTHING,
  );
  return [everyone, together, user].reduce((bits, one) => applied(bits, one ?? NOTHING), base);
}

/** A member's permissions in a channel. */
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

/** The owner and administrators have every permission, regardless of overwrites. */
function rolesOf({ isOwner, everyone, roles }: Subject): bigint {
  const bits = roles.reduce((all, one) => all | one, everyone);
  return isOwner || (bits & ADMINISTRATOR) !== 0n ? ALL_PERMISSIONS : bits & ALL_PERMISSIONS;
}

function applied(bits: bigint, { allow, deny }: Overwrite): bigint {
  return (bits & ~deny) | (allow & ALL_PERMISSIONS);
}
