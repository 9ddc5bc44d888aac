import type { ApplicationRecord } from '../applications/records.ts';
import type { HasAuthorizations } from '../caller.ts';
import { isInstalled } from '../guilds/install.ts';
import type { Base, World } from '../world.ts';

/** Whether a guild has the commands of an application: with its bot, or without. */
export function hasCommands(world: World, application: ApplicationRecord, guild: string): boolean {
  return isInstalled(world, guild, application) || world.tables.command_installs.has(application.id, guild);
}

/** Whether a user has the commands of an application wherever they are. */
export function hasOwnCommands(
  { world, oauth2 }: Pick<Base, 'world'> & HasAuthorizations,
  application: ApplicationRecord,
  user: string,
): boolean {
  return (
    world.tables.command_installs.has(application.id, user) ||
    oauth2.holds(user, application.id, 'applications.commands')
  );
}
