import * as z from 'zod';
import { ApiError, invalidForm, missingPermissions } from '../../api/api-error.ts';
import { clearable, fault, integer, list, snowflake, text } from '../../api/fields.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { image } from '../../files/data-uri.ts';
import { ALL_PERMISSIONS } from '../../kernel/permission-bits.ts';
import { AUDIT, auditChanges, logged, writeAudit } from '../audit/audit.ts';
import { need, needAboveRole, type RequestingMember, requestingMember } from '../guild-access.ts';
import { roleAnswer, roleShape } from './answers.ts';
import { everyoneRole, type Role } from './records.ts';
import { insertRole, moveRoles, roleIn, rolesInOrder } from './roles.ts';

const MAX_ROLES = 250;

const color = () => integer(0, 0xff_ff_ff);

/** Permission bits as a text or a number; unknown bits are dropped. */
const permissions = z
  .union([
    z.string().refine((value) => /^\d{1,20}$/.test(value), fault('NUMBER_TYPE_COERCE', 'Value is not int.')),
    integer(0, Number.MAX_SAFE_INTEGER),
  ])
  .transform((value) => String(BigInt(value) & ALL_PERMISSIONS));

const wanted = z.object({
  name: clearable(text(1, 100)),
  permissions: clearable(permissions),
  color: clearable(color()),
  colors: clearable(
    z.object({
      primary_color: clearable(color()),
      secondary_color: clearable(color()),
      tertiary_color: clearable(color()),
    }),
  ),
  hoist: clearable(z.boolean()),
  icon: clearable(image()),
  unicode_emoji: clearable(text(0, 100)),
  mentionable: clearable(z.boolean()),
});
const MAX_BODY_BYTES = 1024 * 1024;

/** Colors of a holographic role. They replace the sent colors whenever a request includes a third color. */
const HOLOGRAPHIC = { primary_color: 11_127_295, secondary_color: 16_759_788, tertiary_color: 16_761_760 };

/** The colors that a request sets. @throws ApiError 50035 for colors that require a feature the guild does not have. */
function colorsOf(
  { guild }: RequestingMember,
  request: z.output<typeof wanted>,
  before: Role['colors'],
): Role['colors'] {
  const { colors } = request;
  if (colors === undefined || colors === null) {
    // The older field `color` sets only the first color.
    if (request.color === undefined) return before;
    return { primary_color: request.color ?? 0, secondary_color: null, tertiary_color: null };
  }
  const { primary_color, secondary_color = null, tertiary_color = null } = colors;
  const plain = { primary_color: primary_color ?? 0, secondary_color: null, tertiary_color: null };
  if (secondary_color === null && tertiary_color === null) return plain;
  if (!guild.features.includes('ENHANCED_ROLE_COLORS')) {
    throw invalidForm(
      (['secondary_color', 'tertiary_color'] as const)
        .filter((key) => (colors[key] ?? null) !== null)
        .map((key) => ({
          path: ['colors', key],
          code: 'GUILD_FEATURE_MISSING',
          message: 'The guild needs the feature ENHANCED_ROLE_COLORS.',
        })),
    );
  }
  return tertiary_color === null ? { ...plain, secondary_color } : HOLOGRAPHIC;
}

/**
 * The fields that a request sets. @throws ApiError 50101 for a guild without role icons, 50013 for permissions that the
 * caller lacks.
 */
function fieldsOf(who: RequestingMember, request: z.output<typeof wanted>, before: Role): Partial<Role> {
  const { icon, unicode_emoji } = request;
  if ((icon != null || unicode_emoji != null) && !who.guild.features.includes('ROLE_ICONS')) {
    throw new ApiError('ServerNeedsMoreBoostsToPerformThisAction');
  }
  const bits = request.permissions ?? before.permissions;
  if (((BigInt(bits) ^ BigInt(before.permissions)) & ~who.bits) !== 0n) throw missingPermissions();
  return {
    name: request.name ?? before.name,
    permissions: bits,
    colors: colorsOf(who, request, before.colors),
    hoist: request.hoist ?? before.hoist,
    mentionable: request.mentionable ?? before.mentionable,
    // A role has an icon or an emoji, but not both.
    icon: icon === undefined ? (unicode_emoji == null ? before.icon : null) : icon,
    unicode_emoji: unicode_emoji === undefined ? (icon == null ? before.unicode_emoji : null) : unicode_emoji,
  };
}

function answers(tables: Reading, guildId: string): z.output<typeof roleShape>[] {
  return rolesInOrder(tables, guildId).map(roleAnswer);
}

function logView(id: string) {
  return ({ roles }: Reading) => {
    const role = roles.get(id);
    return role && roleAnswer(role);
  };
}

/** Routes of a guild's roles. */
export const roleOperations = [
  defineOperation({
    id: 'list_guild_roles',
    summary: 'The roles of a guild, from the lowest.',
    route: 'GET /guilds/{guild_id}/roles',
    answers: { 200: z.array(roleShape) },
    handle: ({ caller, params }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      return ok(answers(platform.world.tables, guild.id));
    },
  }),
  defineOperation({
    id: 'guild_role_member_counts',
    summary: 'Number of members with each role, without @everyone.',
    route: 'GET /guilds/{guild_id}/roles/member-counts',
    answers: { 200: z.record(z.string(), z.int()) },
    handle: ({ caller, params }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { members, roles } = platform.world.tables;
      const counted = [...roles.by('guild', guild.id)].filter(({ id }) => id !== guild.id);
      return ok(Object.fromEntries(counted.map(({ id }) => [id, members.by('roles', id).size])));
    },
  }),
  defineOperation({
    id: 'get_guild_role',
    summary: 'A role of a guild.',
    route: 'GET /guilds/{guild_id}/roles/{role_id}',
    answers: { 200: roleShape },
    handle: ({ caller, params }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      return ok(roleAnswer(roleIn(platform.world.tables, guild.id, params.role_id)));
    },
  }),
  defineOperation({
    id: 'create_guild_role',
    summary: 'Creates a role, directly above @everyone.',
    route: 'POST /guilds/{guild_id}/roles',
    body: wanted,
    maxBodyBytes: MAX_BODY_BYTES,
    answers: { 200: roleShape },
    ours: 'Colors that need a feature which the guild lacks are refused with 50035 and GUILD_FEATURE_MISSING.',
    handle: ({ caller, params, body: request, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_ROLES');
      const { guild } = who;
      const { world } = platform;
      if (world.tables.roles.by('guild', guild.id).size >= MAX_ROLES) {
        throw new ApiError('MaximumNumberOfGuildRolesReached', { limit: MAX_ROLES });
      }
      const base = world.tables.roles.get(guild.id) ?? everyoneRole(guild);
      // A new role has by default the permissions of @everyone.
      const plain: Role = { ...everyoneRole(guild), name: 'new role', permissions: base.permissions };
      const id = world.ids.next(who.now, (taken) => world.tables.roles.has(taken));
      const role = { ...plain, ...fieldsOf(who, request, plain), id };
      const deed = { action: AUDIT.ROLE_CREATE, target: id, reason };
      logged(world, who, deed, logView(id), (tables) => insertRole(tables, role));
      return ok(roleAnswer(world.tables.roles.get(id) as Role));
    },
  }),
  defineOperation({
    id: 'bulk_update_guild_roles',
    summary: 'Moves roles; others stay in their order.',
    route: 'PATCH /guilds/{guild_id}/roles',
    body: list(z.object({ id: snowflake(), position: clearable(integer(0, 1000)) }), 0, MAX_ROLES),
    answers: { 200: z.array(roleShape) },
    handle: ({ caller, params, body: request, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_ROLES');
      const { guild } = who;
      const { world } = platform;
      world.transaction((tables) => {
        const before = new Map(rolesInOrder(tables, guild.id).map((role) => [role.id, role]));
        for (const { id } of request) {
          if (id === guild.id) throw new ApiError('InvalidRole');
          needAboveRole(tables, who, roleIn(tables, guild.id, id));
        }
        moveRoles(tables, guild.id, new Map(request.map(({ id, position }) => [id, position ?? undefined])));
        for (const { id } of request) {
          const role = tables.roles.get(id) as Role;
          // A member cannot change or move a role above the member's highest role.
          needAboveRole(tables, who, role);
          const changes = auditChanges(roleAnswer(before.get(id) as Role), roleAnswer(role));
          writeAudit(world, tables, who, { action: AUDIT.ROLE_UPDATE, target: id, reason, changes });
        }
      });
      return ok(answers(world.tables, guild.id));
    },
  }),
  defineOperation({
    id: 'update_guild_role',
    summary: 'Changes a role; an absent or null field stays unchanged.',
    route: 'PATCH /guilds/{guild_id}/roles/{role_id}',
    body: wanted,
    maxBodyBytes: MAX_BODY_BYTES,
    answers: { 200: roleShape },
    handle: ({ caller, params, body: request, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_ROLES');
      const { guild } = who;
      const { world } = platform;
      const before = roleIn(world.tables, guild.id, params.role_id);
      needAboveRole(world.tables, who, before);
      const given = fieldsOf(who, request, before);
      // Of @everyone only the permissions change; other fields are ignored.
      const { permissions = before.permissions } = given;
      const fields = before.id === guild.id ? { permissions } : given;
      const { id } = before;
      const deed = { action: AUDIT.ROLE_UPDATE, target: id, reason };
      const after = logged(world, who, deed, logView(id), ({ roles }) => roles.update(id, fields));
      return ok(roleAnswer(after));
    },
  }),
  defineOperation({
    id: 'delete_guild_role',
    summary: 'Deletes a role of all members; @everyone and roles of bots cannot be deleted.',
    route: 'DELETE /guilds/{guild_id}/roles/{role_id}',
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_ROLES');
      const { guild } = who;
      const { world } = platform;
      const role = roleIn(world.tables, guild.id, params.role_id);
      if (role.id === guild.id || role.bot !== null) throw new ApiError('InvalidRole');
      needAboveRole(world.tables, who, role);
      const { id } = role;
      const deed = { action: AUDIT.ROLE_DELETE, target: id, reason };
      logged(world, who, deed, logView(id), ({ roles }) => roles.remove(id));
      return noContent();
    },
  }),
];
