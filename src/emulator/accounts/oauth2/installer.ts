import { ApiError } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { isUserId } from '../../applications/bot.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { installBot, mayInstall } from '../../guilds/install.ts';
import { OAuth2Error } from './error.ts';

/** The guild that an authorization adds an application to, and the permissions of its bot. */
export interface Install {
  readonly guildId: string;
  readonly permissions: bigint;
}

/** Adds applications to guilds. */
export class Installer {
  readonly #platform: Base & HasApplications;

  constructor(platform: Base & HasApplications) {
    this.#platform = platform;
  }

  /** Whether a user may add applications to a guild. */
  mayInstall(userId: string, guildId: string): boolean {
    return mayInstall(this.#platform.world.tables, guildId, userId);
  }

  /** The name of a guild. */
  nameOf(guildId: string): string {
    return this.#platform.world.tables.guilds.get(guildId)?.name ?? guildId;
  }

  /** Checks that the application has a bot. @throws OAuth2Error */
  checkBot(clientId: string): void {
    if (!isUserId(this.#platform.world, this.#applicationOf(clientId))) return;
    throw new OAuth2Error('unauthorized_client', 'This application has no bot: its id is that of a user.');
  }

  /** Makes the bot a member of the guild. @throws OAuth2Error when the emulator has no memory left for the member. */
  addBot(clientId: string, { guildId, permissions }: Install): void {
    const { world, clock } = this.#platform;
    const application = this.#applicationOf(clientId);
    try {
      installBot(world, { guildId, application, permissions, now: clock.now() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new OAuth2Error(
        error.status === 503 ? 'temporarily_unavailable' : 'access_denied',
        error.message,
      );
    }
  }

  /** Adds the commands of an application to a guild, without its bot. */
  addCommands(clientId: string, guildId: string): void {
    const { world } = this.#platform;
    // An application that the fixture does not list has no commands.
    if (!world.tables.applications.has(clientId)) return;
    world.transaction(({ command_installs: table }) => table.put({ application: clientId, owner: guildId }));
  }

  #applicationOf(clientId: string): ApplicationRecord {
    const found = this.#platform.application(clientId);
    if (found === undefined) throw new OAuth2Error('unauthorized_client', 'Unknown application.');
    return found.record;
  }
}
