import { expect } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/compose/emulator-options.ts';
import type { Permission } from '../../src/emulator/kernel/permission-bits.ts';
import { ids } from './emulator-world.ts';
import {
  APP,
  type PlatformAnswer,
  type PlatformRequest,
  type TestPlatform,
  testPlatform,
} from './platform.ts';

/** Role of the bot, and one below and one above it. */
export const ROLES = { own: '900', crew: '801', captain: '802' } as const;

/** A platform whose bot is a member of the guild River Bank. */
export interface GuildPlatform extends TestPlatform {
  /** Asks as the bot, below the guild: `GET /roles`. */
  readonly ask: (what: string, request?: PlatformRequest) => Promise<PlatformAnswer>;
  /** The same, of what is refused: fails when the state is not what it was. */
  readonly refused: (what: string, request?: PlatformRequest) => Promise<PlatformAnswer>;
  /** Gives the bot other permissions. */
  readonly may: (...permissions: readonly Permission[]) => Promise<void>;
  /** Patches the guild. */
  readonly guild: (change: object) => Promise<void>;
  /** The newest entry of its audit log. */
  readonly audited: () => unknown;
}

/** Starts one; the bot has these permissions by its role, besides what everybody has. */
export async function guildPlatform(
  permissions: readonly Permission[] = ['MANAGE_ROLES'],
  options: Partial<EmulatorOptions> = {},
): Promise<GuildPlatform> {
  return inGuild(await testPlatform(undefined, options), permissions);
}

/** Makes the bot of a platform a member of the guild. */
export async function inGuild(
  platform: TestPlatform,
  permissions: readonly Permission[],
): Promise<GuildPlatform> {
  const { emulator } = platform;
  const guild = async (change: object): Promise<void> => {
    await emulator.apply({ guilds: [{ id: ids.riverBank, ...change }] });
  };
  await emulator.apply({ users: [{ id: APP, username: 'tug', discriminator: '0000', bot: true }] });
  await guild({
    roles: [
      { id: ROLES.crew, name: 'crew', position: 1 },
      { id: ROLES.own, name: 'Tug', position: 2, permissions, bot: APP },
      { id: ROLES.captain, name: 'captain', position: 3 },
    ],
    members: [{ user: APP, roles: [ROLES.own], joined_at: '2026-01-01T00:00:00Z' }],
  });
  const ask = (what: string, request: PlatformRequest = {}): Promise<PlatformAnswer> => {
    const [method, path] = what.split(' ');
    const headers = { ...platform.bot(), ...request.headers };
    return platform.call(`${method} /guilds/${ids.riverBank}${path}`, { ...request, headers });
  };
  return {
    ...platform,
    ask,
    refused: async (what, request) => {
      const before = emulator.exportState();
      const answer = await ask(what, request);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(emulator.exportState()).toBe(before);
      return answer;
    },
    may: (...given) => guild({ roles: [{ id: ROLES.own, permissions: given }] }),
    guild,
    audited: () => emulator.tables.audit_log.by('guild', ids.riverBank).last(1)[0],
  };
}
