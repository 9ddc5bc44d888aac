import { ApiError, generalError } from '../../api/api-error.ts';
import type { BotCaller, TokenCaller } from '../../api/caller.ts';
import { checkOwn } from '../../api/own-application.ts';
import type { Base, World } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { hasCommands } from './installed.ts';
import type { CommandRecord } from './records.ts';

/** The global commands of an application, or its commands of one guild. */
export interface Scope {
  readonly application: ApplicationRecord;
  /** Null for global commands. */
  readonly guild: string | null;
}

/** The caller's own application. @throws ApiError 10002 for another application. */
function ownApplication(
  caller: BotCaller | TokenCaller,
  applicationId: string,
  platform: HasApplications,
): ApplicationRecord {
  if (caller.kind === 'bot') {
    checkOwn(caller, applicationId);
    return caller.application;
  }
  const known = caller.clientId === applicationId ? platform.application(applicationId) : undefined;
  if (known === undefined) throw new ApiError('UnknownApplication');
  return known.record;
}

/**
 * Scope of a request. @throws ApiError 10002 for another application, 10004 for an unknown guild, 50001 for a guild
 * without the application.
 */
export function scopeOf(
  caller: BotCaller | TokenCaller,
  params: { readonly application_id: string; readonly guild_id?: string },
  platform: Pick<Base, 'world'> & HasApplications,
): Scope {
  const application = ownApplication(caller, params.application_id, platform);
  if (params.guild_id === undefined) return { application, guild: null };
  const { world } = platform;
  if (!world.tables.guilds.has(params.guild_id)) throw new ApiError('UnknownGuild');
  if (!hasCommands(world, application, params.guild_id)) throw new ApiError('MissingAccess');
  return { application, guild: params.guild_id };
}

/**
 * @throws ApiError 403 for an application outside of the state: anyone may claim its id, so nothing is stored for it.
 */
export function needListed({ tables }: World, { id }: ApplicationRecord): void {
  if (tables.applications.has(id)) return;
  throw generalError(403, `Application ${id} is not written down and has no commands; add it to the fixture`);
}

/** All commands of a scope, by id. */
export function commandsIn({ tables }: World, { application, guild }: Scope): CommandRecord[] {
  const rows =
    guild === null ? tables.commands.by('application', application.id) : tables.commands.by('guild', guild);
  return [...rows].filter((one) => one.application === application.id && one.guild === guild);
}

/** A command of a scope, by its id. @throws ApiError 10063 for a command outside of the scope. */
export function commandIn({ tables }: World, { application, guild }: Scope, id: string): CommandRecord {
  const found = tables.commands.get(id);
  if (found?.application === application.id && found.guild === guild) return found;
  throw new ApiError('UnknownApplicationCommand');
}
