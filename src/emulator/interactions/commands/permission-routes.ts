import * as z from 'zod';
import { ApiError, invalidForm, missingPermissions } from '../../api/api-error.ts';
import type { BotCaller, TokenCaller } from '../../api/caller.ts';
import { choice, clearable, list, snowflake } from '../../api/fields.ts';
import { bearer, bot, ok, operationsFor } from '../../api/operation.ts';
import type { Base, Reading } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { mayView } from '../../guilds/channels/access.ts';
import { need, needAboveRole, type RequestingMember, requestingMember } from '../../guilds/guild-access.ts';
import { isIn } from '../../guilds/members/membership.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { commandPermissionsAnswer, commandPermissionsShape } from './answers.ts';
import { allChannels, isPermitted } from './permitted.ts';
import { type CommandPermissions, type CommandRecord, PERMISSION_TYPES } from './records.ts';
import { needListed, type Scope, scopeOf } from './scope.ts';

/** Services that these operations need. */
type Needs = Base & HasApplications;

const defineOperation = operationsFor<Needs>();

const MAX_ENTRIES = 100;

const ALL = '/applications/{application_id}/guilds/{guild_id}/commands/permissions';
const ONE = '/applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions';
const userToken = bearer('applications.commands.permissions.update');

const { role, user, channel } = PERMISSION_TYPES;

interface Request {
  readonly caller: BotCaller | TokenCaller;
  readonly params: { readonly application_id: string; readonly guild_id: string };
}

/** The application and the guild of a request. A user with an access token must be a member of the guild. */
function scopeIn({ caller, params }: Request, platform: Needs): Scope & { readonly guild: string } {
  const { application } = scopeOf(caller, params, platform);
  if (caller.kind === 'bearer') requestingMember(caller, params.guild_id, platform);
  return { application, guild: params.guild_id };
}

/**
 * A command of the guild; undefined for the application's id, which stands for all commands. @throws ApiError 10063.
 */
function commandOf(
  { commands }: Reading,
  { application, guild }: Scope & { readonly guild: string },
  id: string,
): CommandRecord | undefined {
  if (id === application.id) return undefined;
  const found = commands.get(id);
  if (found?.application === application.id && (found.guild === null || found.guild === guild)) return found;
  throw new ApiError('UnknownApplicationCommand');
}

type Entry = CommandPermissions['permissions'][number];

/**
 * Checks the targets of permissions. @throws ApiError 50035 for ids that the guild does not have, 50013 for those that
 * the user may not manage.
 */
function checkEntries(tables: Reading, who: RequestingMember, entries: readonly Entry[]): void {
  const guild = who.guild.id;
  const faults: FieldFault[] = [];
  const seen = new Set<string>();
  for (const [index, { id, type }] of entries.entries()) {
    const path = ['permissions', index, 'id'];
    if (!isThere(tables, guild, id, type)) {
      faults.push({ path, code: 'BASE_TYPE_INVALID', message: 'The guild has no such one.' });
    } else if (seen.has(`${type} ${id}`)) {
      faults.push({
        path,
        code: 'SET_TYPE_ALREADY_CONTAINS_VALUE',
        message: 'The set already contains this value',
      });
    }
    seen.add(`${type} ${id}`);
  }
  if (faults.length > 0) throw invalidForm(faults);
  for (const { id, type } of entries) {
    const target = tables.roles.get(id);
    if (type === role && target !== undefined && id !== guild) needAboveRole(tables, who, target);
    const targetChannel = type === channel ? tables.channels.get(id) : undefined;
    if (targetChannel !== undefined && !mayView(tables, targetChannel, who.member.user))
      throw missingPermissions();
  }
}

function isThere(tables: Reading, guild: string, id: string, type: number): boolean {
  if (type === role) return tables.roles.get(id)?.guild === guild;
  if (type === user) return isIn(tables, guild, id);
  return id === allChannels(guild) || tables.channels.get(id)?.guild === guild;
}

/** The routes of command permissions. */
export const commandPermissionOperations = [
  defineOperation({
    id: 'list_guild_application_command_permissions',
    summary: 'The permissions of the commands of the application in a guild, for each command that has some.',
    route: `GET ${ALL}`,
    who: [bot, userToken],
    answers: { 200: z.array(commandPermissionsShape) },
    handle: (request, platform) => {
      const { application, guild } = scopeIn(request, platform);
      const rows = [...platform.world.tables.command_permissions.by('guild', guild)];
      return ok(rows.filter((row) => row.application === application.id).map(commandPermissionsAnswer));
    },
  }),
  defineOperation({
    id: 'get_guild_application_command_permissions',
    summary:
      'The permissions of a command in a guild, or, by the id of the application, of all its commands.',
    route: `GET ${ONE}`,
    who: [bot, userToken],
    answers: { 200: commandPermissionsShape },
    handle: (request, platform) => {
      const { tables } = platform.world;
      const scope = scopeIn(request, platform);
      const { command_id } = request.params;
      commandOf(tables, scope, command_id);
      const row = tables.command_permissions.get(scope.guild, command_id);
      if (row === undefined) throw new ApiError('UnknownApplicationCommandPermissions');
      return ok(commandPermissionsAnswer(row));
    },
  }),
  defineOperation({
    id: 'set_guild_application_command_permissions',
    summary: 'Replaces the permissions of a command in a guild.',
    route: `PUT ${ONE}`,
    who: [userToken],
    body: z.object({
      permissions: clearable(
        list(
          z.object({ id: snowflake(), type: choice(role, user, channel), permission: z.boolean() }),
          0,
          MAX_ENTRIES,
        ),
      ),
    }),
    ours: 'An empty list removes the permissions. A user manages roles below their own highest, and channels that they see.',
    answers: { 200: commandPermissionsShape },
    handle: (request, platform) => {
      const { world } = platform;
      const { application, guild } = scopeIn(request, platform);
      needListed(world, application);
      const { command_id } = request.params;
      const command = commandOf(world.tables, { application, guild }, command_id);
      const who = need(requestingMember(request.caller, guild, platform), 'MANAGE_GUILD', 'MANAGE_ROLES');
      const { user: userId, roles } = who.member;
      const using = { guild, user: userId, roles, bits: who.bits, channels: [] };
      if (command !== undefined && !isPermitted(world.tables, command, using)) throw missingPermissions();
      const permissions = request.body.permissions ?? [];
      checkEntries(world.tables, who, permissions);
      const row = { application: application.id, guild, command: command_id, permissions };
      world.transaction(({ command_permissions: table }) => {
        if (permissions.length === 0) table.remove(`${guild} ${command_id}`);
        else table.put(row);
      });
      return ok(commandPermissionsAnswer(row));
    },
  }),
];
