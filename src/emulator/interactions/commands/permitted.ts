import type { Reading } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { type CommandPermissions, type CommandRecord, PERMISSION_TYPES } from './records.ts';

const ADMINISTRATOR = bitsOf('ADMINISTRATOR');

/** A member who uses a command in a guild, and the channel of the use. */
export interface Using {
  readonly guild: string;
  readonly user: string;
  /** Ids of the member's roles, without @everyone. */
  readonly roles: readonly string[];
  /** Permission bits in the channel. */
  readonly bits: bigint;
  /** Id of the channel and, for a thread, of its parent; empty to check for any channel. */
  readonly channels: readonly string[];
}

type Entries = CommandPermissions['permissions'];

/** Id that stands for all channels of a guild: the guild's id minus one. */
export function allChannels(guild: string): string {
  return String(BigInt(guild) - 1n);
}

/**
 * Whether a guild allows a member to use a command. Permissions of the command have precedence over those of the whole
 * application, a channel over all channels, a user over roles, and roles over @everyone. Without a matching entry, the
 * member needs the permissions that the application requires. Administrators may use every command.
 */
export function isPermitted(
  { command_permissions: table }: Pick<Reading, 'command_permissions'>,
  command: CommandRecord,
  who: Using,
): boolean {
  if ((who.bits & ADMINISTRATOR) !== 0n) return true;
  const own = table.get(who.guild, command.id)?.permissions ?? [];
  const ofAll = table.get(who.guild, command.application)?.permissions ?? [];
  if ((ofChannel(own, who) ?? ofChannel(ofAll, who)) === false) return false;
  const named = ofMember(own, who);
  if (named !== undefined) return named;
  if (ofMember(ofAll, who) === false) return false;
  const { default_member_permissions: needed } = command;
  if (needed === null) return true;
  const bits = BigInt(needed);
  return bits !== 0n && (who.bits & bits) === bits;
}

function ofChannel(entries: Entries, { guild, channels }: Using): boolean | undefined {
  const listed = entries.filter(({ type }) => type === PERMISSION_TYPES.channel);
  for (const id of [...channels, ...(channels.length === 0 ? [] : [allChannels(guild)])]) {
    const found = listed.find((entry) => entry.id === id);
    if (found !== undefined) return found.permission;
  }
  return undefined;
}

function ofMember(entries: Entries, { guild, user, roles }: Using): boolean | undefined {
  const own = entries.find(({ type, id }) => type === PERMISSION_TYPES.user && id === user);
  if (own !== undefined) return own.permission;
  const ofRoles = entries.filter(({ type }) => type === PERMISSION_TYPES.role);
  const held = ofRoles.filter(({ id }) => roles.includes(id));
  if (held.length > 0) return held.some(({ permission }) => permission);
  return ofRoles.find(({ id }) => id === guild)?.permission;
}
