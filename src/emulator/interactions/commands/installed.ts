import type { HasAuthorizations } from '../../api/caller.ts';
import type { Base, World } from '../../api/world.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { isInstalled } from '../../guilds/install.ts';

/** Whether an application's commands are available in a guild, with or without the application's bot. */
export function hasCommands(world: World, application: ApplicationRecord, guild: string): boolean {
  return isInstalled(world, guild, application) || world.tables.command_installs.has(application.id, guild);
}

/**
 * Whether a user added an application to their own account, so that its commands are available to the user everywhere.
 */
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
