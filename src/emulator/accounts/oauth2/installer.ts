import { ApiError } from '../../api/api-error.ts';
import type { World } from '../../api/world.ts';
import { isOfPerson } from '../../applications/bot.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { installBot, mayInstall } from '../../guilds/install.ts';
import type { Clock } from '../../kernel/clock.ts';
import { OAuth2Error } from './error.ts';
import type { Installer } from './install.ts';

/** Adds bots to the guilds of a world. */
export function installerOf(
  world: World,
  clock: Pick<Clock, 'now'>,
  application: (clientId: string) => ApplicationRecord | undefined,
): Installer {
  const applicationOf = (clientId: string): ApplicationRecord => {
    const found = application(clientId);
    if (found === undefined) throw new OAuth2Error('unauthorized_client', 'Unknown application.');
    return found;
  };
  return {
    mayInstall: (userId, guildId) => mayInstall(world.tables, guildId, userId),
    nameOf: (guildId) => world.tables.guilds.get(guildId)?.name ?? guildId,
    checkBot: (clientId) => {
      if (!isOfPerson(world, applicationOf(clientId))) return;
      throw new OAuth2Error('unauthorized_client', 'This application has no bot: its id is a person.');
    },
    addBot: (clientId, { guildId, permissions }) => {
      try {
        installBot(world, {
          guildId,
          application: applicationOf(clientId),
          permissions,
          now: clock.now(),
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new OAuth2Error(
          error.status === 503 ? 'temporarily_unavailable' : 'access_denied',
          error.message,
        );
      }
    },
    addCommands: (clientId, guildId) => {
      // One that nobody wrote down has no commands.
      if (!world.tables.applications.has(clientId)) return;
      world.transaction(({ command_installs: table }) =>
        table.put({ application: clientId, owner: guildId }),
      );
    },
  };
}
