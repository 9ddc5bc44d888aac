import { full } from '../api/api-error.ts';
import type { Reading, World } from '../api/world.ts';
import { botUserOf } from '../applications/bot.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import { ALL_PERMISSIONS, PERMISSIONS } from '../kernel/permission-bits.ts';
import { join, memberOf, rolesOf, updateMember } from './members/membership.ts';
import { everyoneRole, type Role } from './roles/records.ts';
import { insertRole } from './roles/roles.ts';

/**
 * Makes the bot of an application a member of a guild, with its own role with these permissions; without permissions
 * it gets no role. A bot that is a member already gets its role updated. Returns the role. `now` is in milliseconds.
 * @throws ApiError 503 when there is no room for the bot's account, 40007 when it is banned.
 */
export function installBot(
  world: World,
  installation: {
    readonly guildId: string;
    readonly application: ApplicationRecord;
    readonly permissions: bigint;
    readonly now: number;
  },
): Role | undefined {
  const { guildId, application, now } = installation;
  const permissions = String(installation.permissions & ALL_PERMISSIONS);
  const { id: user } = botUserOf(world, application, true);
  if (!world.tables.users.has(user)) throw full('users');
  return world.transaction((tables) => {
    const member = join(tables, { guild: guildId, user, now });
    const own = [...tables.roles.by('bot', user)].find(({ guild }) => guild === guildId);
    if (own !== undefined) return tables.roles.update(own.id, { permissions });
    if (permissions === '0') return undefined;
    const id = world.ids.next(now, (taken) => tables.roles.has(taken));
    const role: Role = {
      ...everyoneRole({ id: guildId }),
      id,
      name: application.name,
      permissions,
      bot: user,
    };
    insertRole(tables, role);
    updateMember(tables, member, { roles: [...member.roles, id] });
    return tables.roles.get(id);
  });
}

/** Whether a user may add applications to a guild. Its owner and members who may manage it can do so. */
export function mayInstall(tables: Reading, guildId: string, userId: string): boolean {
  const member = memberOf(tables, guildId, userId);
  if (member === undefined) return false;
  if (tables.guilds.get(guildId)?.owner === userId) return true;
  const everyone = tables.roles.get(guildId);
  const held = [...(everyone === undefined ? [] : [everyone]), ...rolesOf(tables, member)];
  return held.some(({ permissions }) => (BigInt(permissions) & MANAGERS) !== 0n);
}

const MANAGERS = (1n << BigInt(PERMISSIONS.ADMINISTRATOR)) | (1n << BigInt(PERMISSIONS.MANAGE_GUILD));

/** Whether the bot of an application is a member of a guild. */
export function isInstalled(world: World, guildId: string, application: ApplicationRecord): boolean {
  return memberOf(world.tables, guildId, application.bot_user ?? application.id) !== undefined;
}
