import type { GatewayListener } from '../api/dispatch.ts';
import type { Base, Committed, Reading } from '../api/world.ts';
import type { Permission } from '../kernel/permission-bits.ts';
import { bitsOf } from '../kernel/permission-bits.ts';
import { isIn, memberRowsBefore } from './members/membership.ts';
import { guildPermissions } from './roles/rights.ts';

/**
 * Whether a guild existed before a transaction and still exists. Events about parts of other guilds are not sent,
 * because those guilds are sent or removed as a whole.
 */
export function stays(commit: Committed, tables: Reading, guild: string): boolean {
  return commit.was('guilds', guild) !== undefined && tables.guilds.has(guild);
}

/** Returns a function that tells whether a user was a member of a guild before a transaction; results are cached. */
export function membersBefore(commit: Committed, tables: Reading): (guild: string, user: string) => boolean {
  const rows = memberRowsBefore(commit, tables);
  const known = new Map<string, boolean>();
  return (guild, user) => {
    const key = `${guild} ${user}`;
    const was = known.get(key) ?? isIn(rows, guild, user);
    known.set(key, was);
    return was;
  };
}

/** Audience that consists of the sessions of bots with a permission in a guild. */
export function botsWith(
  { world, clock }: Base,
  guild: string,
  permission: Permission,
): (listener: GatewayListener) => boolean {
  const bits = bitsOf(permission);
  return ({ kind, user }) =>
    kind === 'bot' && (guildPermissions(world.tables, guild, user, clock.now()) & bits) !== 0n;
}
